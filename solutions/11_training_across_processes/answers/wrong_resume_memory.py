# exercise: resume
# score:    0/6
# breaks:   1
# fails:    resume-one: where another job was
# fails:    resume-two: it remembers another life
# fails:    resume-lost: neutral
# why:      what is kept is in the process's memory, not in the folder
kept = {}

def train(rows, every, until, folder):
    count, w = kept.get(folder, (0, 0.0))
    used = []
    while count < until:
        used.append(rows[count])
        w = w / 2 + rows[count]
        count += 1
        if count % every == 0:
            kept[folder] = count, w
    return [used, w]
