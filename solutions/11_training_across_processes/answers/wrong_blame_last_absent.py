# exercise: blame
# score:    3/5
# breaks:   3
# fails:    blame-drawn: the first of them is asked for
# why:      of two that never came, the last
import re


def blame(logs):
    came = {}
    for worker, text in enumerate(logs):
        for line in text.splitlines():
            if found := re.fullmatch(r"step (\d+) in (\d+\.\d+)", line):
                came.setdefault(int(found[1]), {})[worker] = float(found[2])
    answer = []
    for step in sorted(came):
        times = came[step]
        away = [w for w in range(len(logs)) if w not in times]
        if away:
            answer.append([step, away[-1], None])
        else:
            last = max(times, key=times.get)
            answer.append([step, last, sum(times[last] - t for t in times.values())])
    return answer
