"""A learner's copies: what sync makes, renews, puts beside, and never touches."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from autograder.errors import CourseError
from autograder.learning import work
from autograder.notebooks import content
from autograder.paths import Course

LESSON = "01_device_placement"


def notebook(text: str, metadata: dict | None = None, outputs: tuple = ()) -> bytes:
    """A small notebook file of a release; ``text`` is its prose."""
    answer = {"role": "solution", "exercise": "double"}
    marks = {
        "grade_id": "double",
        "grade": False,
        "solution": True,
        "locked": False,
        "schema_version": 3,
        "task": False,
    }
    cells = [
        {"id": "prose", "cell_type": "markdown", "metadata": {"course": {"role": "prose"}}, "source": ["# L\n", text]},
        {
            "id": "double",
            "cell_type": "code",
            "metadata": {"course": answer, "nbgrader": marks},
            "source": STUB,
            "outputs": list(outputs),
            "execution_count": None,
        },
    ]
    return json.dumps({"cells": cells, "metadata": metadata or {}, "nbformat": 4, "nbformat_minor": 5}).encode()


STUB = "def double(x):\n    raise NotImplementedError('write this exercise first')"


def answered(text: str, answer: str = "def double(x):\n    return 2 * x") -> bytes:
    """A learner's copy of ``notebook(text)``."""
    made = json.loads(notebook(text))
    made["cells"][1]["source"] = answer
    return json.dumps(made).encode()


def answer_in(path: Path) -> str:
    return "".join(json.loads(path.read_bytes())["cells"][1]["source"])


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@pytest.fixture
def mine(tmp_path: Path) -> Course:
    """A course with one released lesson."""
    course = Course(tmp_path)
    put(course.release_notebook(LESSON), notebook("first"))
    return course


def release(course: Course, text: str) -> bytes:
    put(course.release_notebook(LESSON), notebook(text))
    return notebook(text)


def beside(course: Course) -> list[str]:
    """Files of the lesson's folder other than the copy."""
    folder = course.work_notebook(LESSON).parent
    return sorted(file.name for file in folder.iterdir() if file != course.work_notebook(LESSON))


def test_the_first_start_copies_every_lesson(mine: Course) -> None:
    put(mine.release_notebook("00_start_here"), notebook("start"))
    put(mine.notebooks / "README.md", b"not a lesson")
    assert work.sync(mine) == ["Copied to work/: 00_start_here, 01_device_placement."]
    for lesson in ("00_start_here", LESSON):
        assert mine.work_notebook(lesson).read_bytes() == mine.release_notebook(lesson).read_bytes()
    assert work.sync(mine) == []


def test_an_unchanged_copy_follows_the_release(mine: Course) -> None:
    work.sync(mine)
    newer = release(mine, "second")
    assert work.sync(mine) == [f"Renewed in work/ (you had not changed your copy): {LESSON}."]
    assert mine.work_notebook(LESSON).read_bytes() == newer
    assert beside(mine) == []


def test_a_copy_that_was_only_opened_counts_as_unchanged(mine: Course) -> None:
    work.sync(mine)
    put(mine.work_notebook(LESSON), notebook("first", {"language_info": {"version": "3.12.1"}}))
    newer = release(mine, "second")
    work.sync(mine)
    assert mine.work_notebook(LESSON).read_bytes() == newer


def test_a_copy_that_was_only_run_counts_as_unchanged(mine: Course) -> None:
    work.sync(mine)
    put(
        mine.work_notebook(LESSON),
        notebook("first", outputs=({"output_type": "stream", "name": "stdout", "text": "4"},)),
    )
    newer = release(mine, "second")
    work.sync(mine)
    assert mine.work_notebook(LESSON).read_bytes() == newer
    assert beside(mine) == []


def test_a_renewed_lesson_takes_the_answers_over_and_keeps_the_old_copy(mine: Course) -> None:
    work.sync(mine)
    copy = mine.work_notebook(LESSON)
    put(copy, answered("first"))
    release(mine, "second")
    [message] = work.sync(mine)
    assert message.startswith(f"{LESSON}: the lesson was renewed. Your answers are in the new one")
    assert f"work/{LESSON}/{LESSON}.old.ipynb" in message
    assert content(copy.read_bytes()) == content(answered("second"))
    assert copy.with_name(f"{LESSON}.old.ipynb").read_bytes() == answered("first")
    assert work.sync(mine) == [], "the learner is told once"
    release(mine, "third")
    work.sync(mine)
    assert beside(mine) == [f"{LESSON}.old-2.ipynb", f"{LESSON}.old.ipynb"]
    assert "return 2 * x" in answer_in(copy)


def test_of_a_renewed_lesson_notes_are_in_the_old_copy_only_and_the_message_says_so(mine: Course) -> None:
    work.sync(mine)
    copy = mine.work_notebook(LESSON)
    noted = json.loads(answered("first, and my own words"))
    noted["cells"].append({"id": "note", "cell_type": "markdown", "metadata": {}, "source": "my note"})
    code = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    noted["cells"].append(code | {"id": "code", "source": "my_own_code = 1"})
    put(copy, json.dumps(noted).encode())
    release(mine, "second")
    [message] = work.sync(mine)
    new, old = (path.read_text() for path in (copy, copy.with_name(f"{LESSON}.old.ipynb")))
    for text in ("return 2 * x", "my_own_code"):
        assert text in new and text in old
    for text in ("my own words", "my note"):
        assert text not in new and text in old
    assert message.endswith("or changed texts or given code of the lesson, these are in the old copy only.")


def test_a_renewed_lesson_takes_over_what_a_person_would_be_shown(mine: Course) -> None:
    work.sync(mine)
    copy = mine.work_notebook(LESSON)
    notebook = json.loads(answered("first"))
    mark = next(cell for cell in notebook["cells"] if "return 2 * x" in "".join(cell["source"]))
    notebook["cells"].append(mark | {"id": "below", "source": "def double(x):\n    return x * x"})
    put(copy, json.dumps(notebook).encode())
    release(mine, "second")
    [message] = work.sync(mine)
    assert "Your answers are in the new one" in message and "return 2 * x" in answer_in(copy)


def test_an_answer_in_words_far_from_its_question_is_not_said_to_be_in_the_new_lesson(mine: Course) -> None:
    """It may be one: nothing is written below the question."""

    def asked(answered: bytes) -> dict:
        made, marks = json.loads(answered), {"grade_id": "why", "schema_version": 3, "task": False}
        text = marks | {"grade": False, "solution": False, "locked": True}
        stub = marks | {"grade": True, "solution": True, "locked": False, "points": 1}
        for name, role, own, words in (("why-text", "exercise", text, "Why?"), ("why", "written", stub, "YOUR ANSWER")):
            about = {"course": {"role": role, "exercise": "why"}, "nbgrader": own | {"grade_id": name}}
            made["cells"].append({"id": name, "cell_type": "markdown", "metadata": about, "source": words})
        return made

    put(mine.release_notebook(LESSON), json.dumps(asked(notebook("first"))).encode())
    work.sync(mine)
    written = asked(answered("first"))
    written["cells"].insert(0, {"id": "mine", "cell_type": "markdown", "metadata": {}, "source": "Since it is so."})
    put(mine.work_notebook(LESSON), json.dumps(written).encode())
    put(mine.release_notebook(LESSON), json.dumps(asked(notebook("second"))).encode())
    [message] = work.sync(mine)
    assert "Since it is so." not in mine.work_notebook(LESSON).read_text()
    assert "Not all that you wrote could be told" in message and "your old copy is kept" in message


@pytest.mark.parametrize(
    "changed",
    [b"", b"{ not json", b'{"cells": "odd"}', b"\xff\xfe", b"[" * 100_000, b"null"],
    ids=["empty", "broken", "odd cells", "not text", "nested too deep", "null"],
)
def test_a_copy_that_cannot_be_read_is_never_overwritten(mine: Course, changed: bytes) -> None:
    work.sync(mine)
    copy = mine.work_notebook(LESSON)
    put(copy, changed)
    newer = release(mine, "second")
    [message] = work.sync(mine)
    assert copy.read_bytes() == changed
    assert (copy.parent / f"{LESSON}.new.ipynb").read_bytes() == newer
    assert "cannot be read as a notebook of it" in message
    assert f"work/{LESSON}/{LESSON}.new.ipynb" in message
    assert work.sync(mine) == [], "the learner is told once"
    third = release(mine, "third")
    assert len(work.sync(mine)) == 1
    assert beside(mine) == [f"{LESSON}.new.ipynb"]
    assert (copy.parent / f"{LESSON}.new.ipynb").read_bytes() == third


def test_a_deleted_copy_comes_back_and_other_files_stay(mine: Course) -> None:
    work.sync(mine)
    mine.work_notebook(LESSON).unlink()
    notes = mine.work_notebook(LESSON).with_name("notes.ipynb")
    put(notes, b"mine")
    assert work.sync(mine) == [f"Copied to work/: {LESSON}."]
    assert notes.read_bytes() == b"mine"


def test_lessons_that_leave_keep_their_copies(mine: Course) -> None:
    put(mine.release_notebook("00_start_here"), notebook("start"))
    work.sync(mine)
    shutil.rmtree(mine.release_notebook(LESSON).parent)
    assert work.sync(mine) == []
    assert mine.work_notebook(LESSON).exists()
    newer = release(mine, "back, and newer")
    work.sync(mine)
    assert mine.work_notebook(LESSON).read_bytes() == newer, "it is still known to be unchanged"


@pytest.mark.parametrize("memory", [None, b"", b"{", b"[]", b'{"01_device_placement": 3}', b"\xff", b"null"])
def test_without_memory_a_copy_that_differs_counts_as_changed(mine: Course, memory: bytes | None) -> None:
    work.sync(mine)
    put(mine.work_notebook(LESSON), answered("first"))
    file = mine.work / work.MEMORY
    file.unlink() if memory is None else file.write_bytes(memory)
    release(mine, "second")
    assert len(work.sync(mine)) == 1
    assert answer_in(mine.work_notebook(LESSON)) == answer_in(mine.work_notebook(LESSON).with_name(beside(mine)[0]))
    assert work.sync(mine) == []


def test_without_memory_a_copy_that_equals_the_release_is_known_again(mine: Course) -> None:
    work.sync(mine)
    (mine.work / work.MEMORY).unlink()
    work.sync(mine)
    newer = release(mine, "second")
    work.sync(mine)
    assert mine.work_notebook(LESSON).read_bytes() == newer


def test_no_lessons_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"There are no lessons in .*notebooks.*make build"):
        work.sync(Course(tmp_path))


def test_a_folder_that_is_in_the_way_is_one_sentence(mine: Course) -> None:
    mine.work.write_text("a file")
    with pytest.raises(CourseError, match="could not be brought up to date"):
        work.sync(mine)


def test_a_crash_while_writing_leaves_the_old_file(mine: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    work.sync(mine)
    release(mine, "second")

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CourseError, match="No space left"):
        work.sync(mine)
    assert mine.work_notebook(LESSON).read_bytes() == notebook("first")
    assert not list(mine.work.rglob("*.part"))


class AnyHistory(RuleBasedStateMachine):
    """Whatever happens in whatever order, what the learner wrote stays, and what they left alone is the newest."""

    lessons = st.sampled_from(["00_start_here", LESSON])

    def __init__(self) -> None:
        super().__init__()
        self.course = Course(Path(tempfile.mkdtemp()))
        self.count = 0
        self.written: dict[Path, str] = {}  # what the learner last wrote into each file
        self.release("00_start_here")

    def teardown(self) -> None:
        shutil.rmtree(self.course.root)

    def text(self) -> str:
        self.count += 1
        return f"text {self.count}"

    @rule(lesson=lessons)
    def release(self, lesson: str) -> None:
        put(self.course.release_notebook(lesson), notebook(self.text()))

    @precondition(lambda self: self.course.release_notebook(LESSON).exists())
    @rule()
    def withdraw(self) -> None:
        shutil.rmtree(self.course.release_notebook(LESSON).parent)

    @rule(data=st.data())
    def learner_writes(self, data: st.DataObject) -> None:
        if files := sorted(self.course.work.rglob("*.ipynb")):
            file = data.draw(st.sampled_from(files))
            self.written[file] = f"def double(x):\n    return '{self.text()}'"
            put(file, answered("whatever", self.written[file]))

    @rule(data=st.data())
    def learner_opens(self, data: st.DataObject) -> None:
        if files := sorted(set(self.course.work.rglob("*.ipynb")) - self.written.keys()):
            file = data.draw(st.sampled_from(files))
            opened = json.loads(file.read_bytes()) | {"metadata": {"opened": self.text()}}
            put(file, json.dumps(opened).encode())

    @rule(data=st.data())
    def learner_deletes(self, data: st.DataObject) -> None:
        if files := sorted(self.course.work.rglob("*.ipynb")):
            file = data.draw(st.sampled_from(files))
            file.unlink()
            self.written.pop(file, None)

    @rule(content=st.sampled_from([b"", b"{}", b"[1]"]))
    def memory_breaks(self, content: bytes) -> None:
        put(self.course.work / work.MEMORY, content)
        self.forget = True

    forget = False

    @rule()
    def start(self) -> None:
        work.sync(self.course)
        for lesson in work.released(self.course):
            copy = self.course.work_notebook(lesson)
            assert copy.exists()
            if copy not in self.written and not self.forget:
                newest = self.course.release_notebook(lesson).read_bytes()
                assert content(copy.read_bytes()) == content(newest)
        assert work.sync(self.course) == [], "a second start has nothing to say"

    @invariant()
    def nothing_written_is_lost(self) -> None:
        assert {file: answer_in(file) for file in self.written} == self.written
        assert not list(self.course.work.rglob("*.part"))


AnyHistory.TestCase.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)
TestAnyHistory = AnyHistory.TestCase


@pytest.mark.parametrize("cells", ["", {}, None])
def test_a_file_whose_cells_are_elsewhere_stands_for_itself(cells):
    """Else all such files were the same work, handed in when the first of them was."""
    files = [json.dumps({"cells": cells, "worksheets": [{"cells": [text]}]}).encode() for text in "ab"]
    assert content(files[0]) != content(files[1])


def test_a_file_of_very_many_values_stands_for_itself():
    """A download may hold hundreds of such, each of which would be read several times."""
    one, other = (json.dumps({"cells": [], "x": [[]] * 300_000, "y": y}).encode() for y in "ab")
    assert content(one) != content(other)
