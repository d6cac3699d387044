# exercise: log
# score:    6/6
# why:      one pattern for both kinds of line, not anchored, told apart by its groups
import re
def read_placement_log(text):
    rows = []
    for m in re.finditer(r"(?:Executing op (\w+) in device|(\S+): \((\w+)\):) \S*device:(\w+:\d+)", text):
        rows.append(["", m[1], m[4]] if m[1] else [m[2], m[3], m[4]])
    return rows
