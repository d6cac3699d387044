# exercise: blame
# score:    3/5
# breaks:   1
# fails:    blame-drawn: as text: 10 before 2
# why:      sorts the steps as text
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
        lines = re.findall(r"^step (\d+) in ([\d.]+)$", text, re.MULTILINE)
        came.append({int(number): float(seconds) for number, seconds in lines})
    found = []
    for number in sorted(set().union(*came), key=str):
        absent = [worker for worker, mine in enumerate(came) if number not in mine]
        if absent:
            found.append([number, absent[0], None])
            continue
        moments = [mine[number] for mine in came]
        last = max(moments)
        found.append([number, moments.index(last), sum(last - moment for moment in moments)])
    return found
