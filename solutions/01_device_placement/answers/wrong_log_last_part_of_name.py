# exercise: log
# score:    4/6
# breaks:   9
# fails:    log-graph: cut at its slash
# fails:    log-devices: neutral
# why:      keeps what is behind the last slash of a name
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
            rows.append([name.rsplit("/", 1)[-1], rest.partition(")")[0], device])
    return rows
