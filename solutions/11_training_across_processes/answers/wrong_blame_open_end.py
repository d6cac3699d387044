# exercise: blame
# score:    3/5
# breaks:   5
# fails:    blame-drawn: there is no line of the form of the text
# why:      takes a line that only begins like the form
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
        lines = re.findall(r"^step (\d+) in ([\d.]+)", text, re.MULTILINE)
        came.append({int(number): float(seconds) for number, seconds in lines})
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
