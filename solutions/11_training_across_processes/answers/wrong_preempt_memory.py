# exercise: preempt
# score:    0/6
# breaks:   2
# fails:    preempt-together: where another job was
# fails:    preempt-again: neutral
# fails:    preempt-drawn: waits in agree
# fails:    preempt-end: neutral
# why:      what is kept is in the process's memory; the folder only says that there is something
kept = {}

def worker(rows, until, told, agree, folder):
    count, w = kept.get(folder, (0, 0.0))
    used = []
    while count < until:
        used.append(rows[count])
        w = w / 2 + rows[count]
        count += 1
        if agree(told()) and count < until:
            kept[folder] = count, w
            open(folder + "/saved", "w").close()
            return [used, w, 42]
    return [used, w, 0]
