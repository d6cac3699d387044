"""nbgrader's settings for this course; found through JUPYTER_CONFIG_PATH, which the `course` command sets.

With it `nbgrader autograde`, `nbgrader generate_feedback` and Formgrader's buttons go through the same stages as
`course grade`: intake, run, verdict, record (autograder/grading/). Classes are named as text, so that reading this
file imports nothing.
"""

from contextlib import suppress
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821

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
c.GenerateAssignment.exporter_class = "autograder.classroom.nbgrader_adapter.ReleaseExporter"

# The four stages in nbgrader's places for them.
c.Autograde.exporter_class = "autograder.classroom.nbgrader_adapter.StageExporter"
c.Autograde.pre_convert_hook = "autograder.classroom.nbgrader_adapter.find_misnamed"
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "autograder.classroom.nbgrader_adapter.RunStage",
    "autograder.classroom.nbgrader_adapter.VerdictStage",
    "autograder.classroom.nbgrader_adapter.RecordStage",
    "nbgrader.preprocessors.AssignLatePenalties",
]
c.GenerateFeedback.exporter_class = "autograder.classroom.nbgrader_adapter.FeedbackExporter"
c.GenerateFeedback.preprocessors = ["autograder.classroom.nbgrader_adapter.GradesStage"]

# nbgrader's own executor serves the Validate button only; importing TensorFlow may take ten seconds by itself.
c.Execute.timeout = 120

# One folder that teacher and learners of this machine share. nbgrader makes neither it nor the gradebook's folder.
c.Exchange.root = str(Path(c.CourseDirectory.root, "classroom", "exchange"))
with suppress(OSError):  # a course on a read-only disk can still be read
    Path(c.Exchange.root).mkdir(parents=True, exist_ok=True)
