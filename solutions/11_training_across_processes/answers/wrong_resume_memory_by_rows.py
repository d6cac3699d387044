# exercise: resume
# score:    1/6
# fails:    resume-two: it remembers another life
# fails:    resume-lost: neutral
# why:      what is kept is in the process's memory, and known by the rows of the job
kept = {}

def train(rows, every, until, folder):
    count, w = kept.get(tuple(rows), (0, 0.0))
    used = []
    while count < until:
        used.append(rows[count])
        w = w / 2 + rows[count]
        count += 1
        if count % every == 0:
            kept[tuple(rows)] = count, w
    return [used, w]
