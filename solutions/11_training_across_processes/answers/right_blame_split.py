# exercise: blame
# score:    5/5
# why:      splits the lines
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
            words = line.split()
            if len(words) == 4 and words[0] == "step" and words[2] == "in":
                mine[int(words[1])] = float(words[3])
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
