# exercise: log
# score:    4/6
# fails:    log-noise
# says:     a repeated placement is lost
# why:      collects rows in a dict: repeated ops are lost
def read_placement_log(text):
    table = {}
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            table["", line.split()[2], device] = None
        else:
            name, _, rest = line.partition(": (")
            table[name, rest.partition(")")[0], device] = None
    return [list(row) for row in table]
