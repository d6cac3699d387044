# exercise: preempt
# score:    3/6
# breaks:   2
# fails:    preempt-again: where another job was
# fails:    preempt-drawn: neutral
# why:      an empty file in the folder says that there is something, but what it is is in the process's memory
import os

kept = {}

def worker(rows, until, told, agree, folder):
    count, w = kept[folder] if os.listdir(folder) else (0, 0.0)
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
