# exercise: blame
# score:    3/5
# breaks:   5
# fails:    blame-drawn: values to unpack
# why:      takes every line for one of four words
import re

def blame(logs):
    """Find for each step the worker for whom the others waited.

    Args:
        logs: list of str, what each worker printed; all have one clock, in seconds.
    Returns:
        list of [step, worker, seconds]: [int, int, float or None].
    """
    came = []
    for text in logs:
        mine = {}
        for line in text.splitlines():
            word, number, way, seconds = line.split()
            if way == "in":
                mine[int(number)] = float(seconds)
        came.append(mine)
    found = []
    for number in sorted(set().union(*came)):
        absent = [worker for worker, mine in enumerate(came) if number not in mine]
        if absent:
            found.append([number, absent[0], None])
            continue
        moments = [mine[number] for mine in came]
        last = max(moments)
        found.append([number, moments.index(last), sum(last - moment for moment in moments)])
    return found
