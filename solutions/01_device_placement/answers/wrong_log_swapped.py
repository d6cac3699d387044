# exercise: log
# score:    1/6
# breaks:   3
# fails:    log-graph: name and type are swapped
# fails:    log-prefix: neutral
# fails:    log-whole: neutral
# fails:    log-devices: name and type are swapped
# why:      takes the type for the name
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
            rows.append([rest.partition(")")[0], name, device])
    return rows
