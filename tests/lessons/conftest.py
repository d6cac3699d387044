"""Where tests of what lessons say run, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

SPARE = ("test_claims_", "test_parallelism", "test_replication")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Claims of one lesson stay in one worker, where they share a run of its cells. Slow machines may leave them out,
    and what jobs of many processes do: that depends on the lessons and on the locked TensorFlow alone."""
    for item in items:
        name = item.path.stem
        if item.path.parent != Path(__file__).parent or not name.startswith(SPARE):
            continue
        item.add_marker(pytest.mark.spare)
        if name.startswith("test_claims_") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(name))
