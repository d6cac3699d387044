# exercise: log
# score:    5/6
# breaks:   4
# fails:    log-prefix: only the line that begins with I
# why:      knows the prefix of information only
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if line.startswith("I0000") else line
        if "/device:" not in line or "]" in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], device])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows
