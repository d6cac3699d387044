# exercise: log
# score:    4/6
# breaks:   9
# fails:    log-graph: the line whose name has a slash
# fails:    log-devices: the line with the long name
# why:      a pattern whose names have no slash
import re


def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        graph = re.search(r"(?:^|\] )(\w+): \((\w+)\): .*/device:(\w+:\d+)$", line)
        eager = re.search(r"Executing op (\w+) in device .*/device:(\w+:\d+)$", line)
        if graph:
            rows.append(list(graph.groups()))
        elif eager:
            rows.append(["", *eager.groups()])
    return rows
