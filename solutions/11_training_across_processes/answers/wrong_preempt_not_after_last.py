# exercise: preempt
# score:    5/6
# breaks:   3
# fails:    preempt-end: not called after the last step
# why:      after the last step it does not call agree
import json
import os


def worker(rows, until, told, agree, folder):
    path = os.path.join(folder, "state.json")
    count, w, used = 0, 0.0, []
    if os.path.exists(path):
        with open(path) as file:
            count, w = json.load(file)
    def save():
        with open(path, "w") as file:
            json.dump([count, w], file)
    while count < until:
        row = rows[count]
        used.append(row)
        w = w / 2 + row
        count += 1
        stop = count < until and agree(told())
        if stop and count < until:
            save()
            return [used, w, 42]
    return [used, w, 0]
