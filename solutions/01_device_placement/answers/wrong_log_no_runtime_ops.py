# exercise: log
# score:    2/6
# fails:    log-prefix, log-eager, log-noise
# says:     begins with an underscore
# why:      skips types that begin with an underscore
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "(_" in line or " _" in line:
            continue
        if "/device:" not in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], device])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows
