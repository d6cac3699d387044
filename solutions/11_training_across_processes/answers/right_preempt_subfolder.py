# exercise: preempt
# score:    6/6
# why:      the state lies in a folder within the folder, which is made before the first step
import json
import os

def worker(rows, until, told, agree, folder):
    place = os.path.join(folder, "state")
    os.makedirs(place, exist_ok=True)
    path = os.path.join(place, "state.json")
    w, count = 0.0, 0
    if os.path.exists(path):
        with open(path) as file:
            w, count = json.load(file)
    used = []
    while count < until:
        w = w / 2 + rows[count]
        used.append(rows[count])
        count += 1
        if agree(told()) and count < until:
            with open(path, "w") as file:
                json.dump([w, count], file)
            return [used, w, 42]
    return [used, w, 0]
