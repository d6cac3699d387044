# exercise: log
# score:    4/6
# breaks:   2
# fails:    log-whole: not in the log's order
# why:      reads the graph lines first, then the eager ones
def read_placement_log(text):
    rows = []
    eager = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            eager.append(["", line.split()[2], device])
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows + eager
