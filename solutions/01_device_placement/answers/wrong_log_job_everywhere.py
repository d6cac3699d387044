# exercise: log
# score:    0/6
# breaks:   6
# fails:    log-graph: still has its job
# fails:    log-prefix: neutral
# fails:    log-eager: still has its job
# fails:    log-whole: neutral
# fails:    log-devices: still has its job
# why:      keeps the whole device name
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], line.split()[-1]])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], line.split()[-1]])
    return rows
