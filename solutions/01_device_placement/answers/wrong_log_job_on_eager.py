# exercise: log
# score:    3/6
# breaks:   6
# fails:    log-eager: still has its job
# fails:    log-whole: neutral
# why:      cuts the job off graph lines only
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
            rows.append([name, rest.partition(")")[0], device])
    return rows
