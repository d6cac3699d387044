# exercise: blame
# score:    3/5
# fails:    blame-drawn: no line of the form
# why:      a step to which nobody came is blamed on worker 0
import re


def blame(logs):
    came = {}
    for worker, text in enumerate(logs):
        for line in text.splitlines():
            if found := re.fullmatch(r"step (\d+) in (\d+\.\d+)", line):
                came.setdefault(int(found[1]), {})[worker] = float(found[2])
    answer = []
    for step in range(1, max(came) + 1):
        times = came.get(step, {})
        away = [w for w in range(len(logs)) if w not in times]
        if away:
            answer.append([step, away[0], None])
        else:
            last = max(times, key=times.get)
            answer.append([step, last, sum(times[last] - t for t in times.values())])
    return answer
