# exercise: log
# score:    4/6
# breaks:   8
# fails:    log-whole: ops that TensorFlow added
# why:      skips types that begin with an underscore
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if "(_" in line or " _" in line:
            continue
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], device])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows
