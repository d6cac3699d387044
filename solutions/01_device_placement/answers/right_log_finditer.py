# exercise: log
# score:    6/6
# why:      one pattern over the whole text, with named groups
import re

PATTERN = re.compile(
    r"^(?:[IWEF]\d{4} [^\]]*\] )?"
    r"(?:(?P<name>\S+): \((?P<kind>\w+)\):|Executing op (?P<eager>\w+) in device)"
    r" /job:\w+/replica:\d+/task:\d+/device:(?P<device>\w+:\d+)$",
    re.MULTILINE,
)


def read_placement_log(text):
    found = []
    for match in PATTERN.finditer(text):
        found.append([match["name"] or "", match["kind"] or match["eager"], match["device"]])
    return found
