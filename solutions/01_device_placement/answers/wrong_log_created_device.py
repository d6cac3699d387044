# exercise: log
# score:    4/6
# breaks:   7
# fails:    log-whole: a start-up message became a row
# why:      takes every line that names a device for a placement
def read_placement_log(text):
    rows = []
    for line in text.splitlines():
        if "device:" not in line:
            continue
        head, device = line.rsplit("device:", 1)
        if "Executing op" in head:
            rows.append(["", head.split("Executing op ")[1].split()[0], device])
        else:
            name, kind = head.split("] ")[-1].split(": ")[:2]
            rows.append([name, kind.strip("()"), device])
    return rows
