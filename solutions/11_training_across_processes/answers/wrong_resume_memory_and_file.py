# exercise: resume
# score:    1/6
# breaks:   2
# fails:    resume-two: it remembers another life
# fails:    resume-lost: neutral
# why:      an empty file in the folder says that there is something, but what it is is in the process's memory
import os

kept = {}

def train(rows, every, until, folder):
    count, w = kept[folder] if os.listdir(folder) else (0, 0.0)
    used = []
    while count < until:
        used.append(rows[count])
        w = w / 2 + rows[count]
        count += 1
        if count % every == 0:
            kept[folder] = count, w
            open(folder + "/saved", "w").close()
    return [used, w]
