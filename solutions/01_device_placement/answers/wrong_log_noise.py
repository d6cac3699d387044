# exercise: log
# score:    4/6
# fails:    log-noise
# says:     a line that places nothing became a row
# why:      takes every line with a colon for a placement
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], line.rsplit("/device:", 1)[1]])
        elif ":" in line:
            name, _, rest = line.partition(": ")
            rows.append([name, rest.split(")")[0].strip("("), line.rsplit("/device:", 1)[-1]])
    return rows
