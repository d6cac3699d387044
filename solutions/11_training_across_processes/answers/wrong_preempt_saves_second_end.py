# exercise: preempt
# score:    4/6
# breaks:   5
# fails:    preempt-drawn: and it saved
# why:      a second life saves at its end
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
        stop = agree(told())
        if stop and count < until:
            save()
            return [used, w, 42]
    if os.path.exists(path):
        save()
    return [used, w, 0]
