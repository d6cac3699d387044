# exercise: log
# score:    3/6
# breaks:   5
# fails:    log-eager: eager lines give no row
# fails:    log-whole: neutral
# why:      knows a graph's lines only
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if "/device:" not in line or "->" in line:
            continue
        device = line.rsplit("/device:", 1)[1].strip()
        if line.startswith("Executing op "):
            continue
        else:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], device])
    return rows
