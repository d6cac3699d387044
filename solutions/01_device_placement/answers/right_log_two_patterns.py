# exercise: log
# score:    6/6
# why:      two patterns, rows as tuples

import re

GRAPH = re.compile(r"(\S+): \((\S+)\): /job:\S+/device:(\S+)")
EAGER = re.compile(r"Executing op (\S+) in device /job:\S+/device:(\S+)")


def read_placement_log(text):
    rows = []
    for line in text.split("\n"):
        if eager := EAGER.search(line):
            rows.append(("", *eager.groups()))
        elif graph := GRAPH.search(line):
            rows.append(graph.groups())
    return rows
