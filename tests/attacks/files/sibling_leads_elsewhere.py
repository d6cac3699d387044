# score:    7/10
# survives: grader, others
# why:      beside it a link to another's work, a link to a link, a pipe, a file, and a link to nothing

import os

from tests.attacks.suite import write


def make(folder, lesson, right):
    write(folder, lesson, right)
    class_ = folder.parent.parent
    (class_ / "sib-link").symlink_to(class_ / "aa-honest")
    (class_ / "sib-link-to-a-link").symlink_to("sib-link")
    (class_ / "sib-endless").symlink_to("sib-endless")
    (class_ / "sib-file").write_text("attack")
    os.mkfifo(class_ / "sib-pipe")
    linked = class_ / "sib-lesson"
    linked.mkdir()
    (linked / lesson.name).symlink_to(class_ / "aa-honest" / lesson.name)
    return dict.fromkeys(("sib-link", "sib-link-to-a-link", "sib-lesson"), 0.0)
