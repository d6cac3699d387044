# exercise: log
# score:    0/6
# fails:    log-graph, log-prefix, log-eager, log-noise, log-devices
# says:     still carries its job
# why:      keeps the whole device name
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], line.split()[-1]])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], line.split()[-1]])
    return rows
