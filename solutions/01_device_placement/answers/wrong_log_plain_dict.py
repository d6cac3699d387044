# exercise: log
# score:    0/6
# fails:    log-graph, log-prefix, log-eager, log-noise, log-devices
# says:     not a list of rows
# why:      returns {op: device} instead of rows
def read_placement_log(text):
    table = {}
    for line in text.splitlines():
        if ": (" in line:
            table[line.split(": (")[0]] = line.rsplit("/device:", 1)[1]
    return table
