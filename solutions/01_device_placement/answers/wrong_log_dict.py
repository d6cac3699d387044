# exercise: log
# score:    4/6
# breaks:   1
# fails:    log-whole: a line that comes twice has one row
# why:      collects rows in a dict: repeated ones are lost
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], device])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return [list(row) for row in dict.fromkeys(map(tuple, rows))]
