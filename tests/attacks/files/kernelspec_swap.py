# score:    7/10
# survives: grader, machine
# why:      asks for another kernel, one that is a shell command

from tests.attacks.suite import write


def make(folder, lesson, right):
    argv = ["/bin/sh", "-c", "touch /tmp/attack-was-here"]
    right.metadata["kernelspec"] = {"name": "../../bash", "display_name": "x", "language": "bash", "argv": argv}
    right.metadata["language_info"] = {"name": "bash", "file_extension": ".sh", "nbconvert_exporter": "script"}
    write(folder, lesson, right)
