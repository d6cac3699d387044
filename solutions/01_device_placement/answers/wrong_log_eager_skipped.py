# exercise: log
# score:    3/6
# fails:    log-eager, log-noise
# says:     eager lines are skipped
# why:      knows the graph log only
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if ": (" in line and "/device:" in line:
            name, _, rest = line.partition(": (")
            rows.append([name, rest.partition(")")[0], line.rsplit("/device:", 1)[1]])
    return rows
