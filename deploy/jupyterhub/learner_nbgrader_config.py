"""nbgrader's settings for a learner on the hub: where the class hands in. Nothing of the course, which has answers."""

import os

c = get_config()  # type: ignore[name-defined]  # noqa: F821

c.CourseDirectory.course_id = "parallel-tensorflow"
c.Exchange.root = os.environ["COURSE_EXCHANGE"]
c.ExchangeFactory.submit = "autograder.classroom.exchange.PlainSubmit"
c.OwnModes.for_everyone = True  # accounts differ; who must not read a submission is kept out by its folder's name
