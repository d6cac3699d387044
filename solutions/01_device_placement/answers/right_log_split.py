# exercise: log
# score:    6/6
# why:      by hand, with partition instead of a regular expression
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if line[:1] in "IWEF" and ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], device])
        elif ": (" in line:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows
