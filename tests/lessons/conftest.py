"""Where tests of what lessons say run, and when."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Claims of one lesson stay in one worker, where they share a run of its cells; slow machines may leave them out,
    as they depend on the lessons and on the locked TensorFlow alone."""
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.stem.startswith("test_claims_"):
            item.add_marker(pytest.mark.spare)
            if not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(item.path.stem))
