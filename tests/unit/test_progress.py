"""The index's table of points: it reads whatever lies in ``work/``, before JupyterLab starts."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from autograder.paths import find_course

PROGRESS = runpy.run_path(str(find_course(Path(__file__).parent).solutions / "_shared" / "progress.py"))
HEADING = {"cell_type": "markdown", "metadata": {}, "source": "## 1 Begin"}
RUN = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "", "outputs": []}


def check(points: Any, **more: Any) -> dict[str, Any]:
    about = {"course": {"role": "check"}, "nbgrader": {"points": points}}
    passed = {"metadata": {"course": {"state": "passed"}}}
    return {"cell_type": "code", "metadata": about, "source": "", "outputs": [passed], **more}


def table(folder: Path, content: Any) -> str:
    path = folder / "01_sums" / "01_sums.ipynb"
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    PROGRESS["progress_table"].__globals__["LESSONS"] = [["01_sums", "Sums", 5]]
    return PROGRESS["progress_table"](folder).splitlines()[-1]


def test_points_and_the_place(tmp_path):
    said = table(tmp_path, {"cells": [HEADING, RUN, check(2), check(3, outputs=[])]})
    assert "| 2 of 5 |" in said and "[1 Begin](01_sums/01_sums.ipynb#1-Begin)" in said


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000, '{"cells":' + "[" * 100_000, "", "[]", '{"cells": 1}', '{"cells": [[]]}',
        {"cells": [check(1e999)]}, {"cells": [check("x")]}, {"cells": [check([1])]}, {"cells": [check(float("nan"))]},
        {"cells": [check(1, outputs=3)]}, {"cells": [check(1, outputs=[{"metadata": []}])]},
        {"cells": [{**HEADING, "source": {"a": 1}}, {**RUN, "metadata": {"course": []}}]},
    ],
)  # fmt: skip
def test_whatever_a_file_holds_there_is_a_table(tmp_path, content):
    assert "| 0 of 0 | not begun |" in table(tmp_path, content)


def test_numbers_stay_small_and_a_heading_stays_in_its_link(tmp_path):
    odd = {**HEADING, "source": "## x](javascript:attack()) | <img src=x onerror=attack()> [" + "y" * 9000}
    said = table(tmp_path, {"cells": [odd, RUN, *[check(int("9" * 4000))] * 12]})
    assert len(said) < 700 and said.count("|") == 5 and "](javascript" not in said and "<" not in said
