"""nbgrader's settings for this course; found through JUPYTER_CONFIG_PATH, which the `course` command sets.

With it `nbgrader autograde`, `nbgrader generate_feedback` and Formgrader's buttons grade and report as `course grade`
does (autograder/classroom/). Classes are named as text, so that reading this file imports nothing.
"""

import os
import tomllib
from pathlib import Path

from traitlets.config import Application

c = get_config()  # type: ignore[name-defined]  # noqa: F821

# What the teacher chose: the one place is [tool.course] in pyproject.toml.
about = Path(__file__).resolve().parent.parent / "pyproject.toml"
try:
    chosen = tomllib.loads(about.read_text(encoding="utf-8"))["tool"]["course"] if about.is_file() else {}
    late_percent = float(chosen.get("late_percent_per_day", 0)), float(chosen.get("late_percent_at_most", 100))
except KeyError:
    chosen, late_percent = {}, (0.0, 100.0)
except (OSError, ValueError, TypeError, AttributeError) as error:
    # after any other error nbgrader goes on with settings of its own, which would grade without isolation
    raise SystemExit(f"{about}, [tool.course], cannot be used: {error}. Mend that line and try again.") from error

# Where things are. Everything of a class lies in classroom/, which git ignores.
c.CourseDirectory.course_id = "parallel-tensorflow"
c.CourseDirectory.root = str(Path(__file__).resolve().parent.parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"
c.CourseDirectory.submitted_directory = "classroom/submitted"
c.CourseDirectory.autograded_directory = "classroom/autograded"
c.CourseDirectory.feedback_directory = "classroom/feedback"
c.CourseDirectory.solution_directory = "classroom/solution"
c.CourseDirectory.source_with_tests_directory = "classroom/source_with_tests"
c.CourseDirectory.db_url = "sqlite:///" + str(Path(c.CourseDirectory.root, "classroom", "gradebook.db"))
# What lies beside a source notebook would be copied to learners: the source itself, and the bank of answers.
c.CourseDirectory.ignore = [
    ".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "feedback-*", "answers", "*.py", ".*", "_shared",
]  # fmt: skip

# What a learner finds where the answer was.
c.ClearSolutions.code_stub = {"python": '# YOUR CODE HERE\nraise NotImplementedError("write this exercise first")'}
c.ClearSolutions.text_stub = "YOUR ANSWER HERE"
c.GenerateAssignment.exporter_class = "autograder.authoring.release.ReleaseExporter"

# Grading in nbgrader's places for it: its first conversion grades, its second records.
c.Autograde.exporter_class = "autograder.classroom.nbgrader_adapter.GradingExporter"
c.Autograde.pre_convert_hook = "autograder.classroom.nbgrader_adapter.find_misnamed"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "autograder.classroom.nbgrader_adapter.RecordScores",
    "nbgrader.preprocessors.AssignLatePenalties",
]
c.AssignLatePenalties.plugin_class = "autograder.classroom.late.LatePenalty"
c.LatePenalty.percent_per_day = late_percent[0]
c.LatePenalty.percent_at_most = late_percent[1]
c.GenerateFeedback.exporter_class = "autograder.classroom.nbgrader_adapter.FeedbackExporter"
c.GenerateFeedback.preprocessors = []

# Nothing that was handed in beside a notebook goes further, and no link is followed.
c.ExchangeFactory.collect = "autograder.classroom.handing_over.PlainCollect"
c.ExchangeFactory.list = "autograder.classroom.handing_over.PlainList"
c.ExchangeFactory.release_feedback = "autograder.classroom.handing_over.PlainReleaseFeedback"
c.ExchangeFactory.release_assignment = "autograder.classroom.exchange.PlainRelease"
c.ExchangeFactory.submit = "autograder.classroom.exchange.PlainSubmit"
c.ZipCollectApp.downloaded_directory = "classroom/downloaded"
c.ZipCollectApp.extractor_plugin = "autograder.classroom.handing_over.PlainExtractor"
c.ZipCollectApp.collector_plugin = "autograder.classroom.handing_over.PlainCollector"

# nbgrader's own table would give a spreadsheet whatever an id or a name holds, also a formula.
c.ExportApp.plugin_class = "autograder.classroom.export.CsvExport"

# nbgrader's own executor serves the Validate button only; importing TensorFlow may take ten seconds by itself.
c.Execute.timeout = 120

# One folder that teacher and learners of this machine share. nbgrader does not make it; `course teacher` does.
c.Exchange.root = chosen.get("exchange") or str(Path(c.CourseDirectory.root, "classroom", "exchange"))
c.OwnModes.for_everyone = chosen.get("exchange_for_everyone") is True

# Its commands fail where the gradebook's folder is missing. Only they make it: Jupyter reads this file, too.
classroom = Path(c.CourseDirectory.root, "classroom")
is_command = Application.initialized() and type(Application.instance()).__module__.startswith("nbgrader.")
if is_command and not classroom.is_dir() and os.access(classroom.parent, os.W_OK):  # a learner of this machine may not
    # as Course.make_classroom does: closed, and others may go through it where a shared exchange lies in it
    shared = bool(chosen.get("exchange")) or c.OwnModes.for_everyone
    lies_in_it = Path(c.Exchange.root).resolve().is_relative_to(classroom.resolve())
    classroom.mkdir(0o700, exist_ok=True)
    classroom.chmod(0o711 if shared and lies_in_it else 0o700)
    if shared and lies_in_it:
        Path(c.CourseDirectory.root, c.CourseDirectory.submitted_directory).mkdir(0o700, exist_ok=True)
        (classroom / "gradebook.db").touch(0o600)  # else they make it for everybody to read
