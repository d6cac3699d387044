# exercise: log
# score:    0/6
# fails:    log-graph: not a list of rows
# fails:    log-prefix: not a list of rows
# fails:    log-eager: not a list of rows
# fails:    log-whole: not a list of rows
# fails:    log-devices: not a list of rows
# why:      returns {op: device} instead of rows
def read_placement_log(text):
    table = {}
    for line in text.splitlines():
        if ": (" in line and "/device:" in line:
            table[line.split(": (")[0]] = line.rsplit("/device:", 1)[1]
    return table
