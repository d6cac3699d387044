# exercise: log
# score:    3/6
# breaks:   4
# fails:    log-prefix: lines with a prefix give no row
# fails:    log-whole: neutral
# why:      expects the name at the start of the line
import re


def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        graph = re.match(r"([^\s\]]+): \((\w+)\): .*/device:(\w+:\d+)$", line)
        eager = re.match(r".*Executing op (\w+) in device .*/device:(\w+:\d+)$", line)
        if graph:
            rows.append(list(graph.groups()))
        elif eager:
            rows.append(["", *eager.groups()])
    return rows
