# exercise: log
# score:    5/6
# breaks:   6
# fails:    log-devices: cut to a fixed length
# why:      cuts the last five characters off the line
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], line[-5:]])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], line[-5:]])
    return rows
