# exercise: log
# score:    4/6
# breaks:   7
# fails:    log-whole: a line that places nothing became a row
# why:      takes a colon and a bracket for a placement
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        line = line.split("] ", 1)[-1] if ".cc:" in line else line
        if line.startswith("Executing op "):
            rows.append(["", line.split()[2], line.rsplit("/device:", 1)[1]])
        elif ": (" in line:
            name, kind, where = line.split(": ", 2)
            rows.append([name, kind.strip("()"), where.rsplit("/device:", 1)[-1]])
    return rows
