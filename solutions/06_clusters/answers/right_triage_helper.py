# exercise: triage
# score:    6/6
# why:      the helper `reached`, in threads
from concurrent.futures import ThreadPoolExecutor

def triage(addresses, seconds):
    words = {"answers": "answers", "connects": "frozen", "refused": "dead", "silent": "unreachable"}
    with ThreadPoolExecutor(max_workers=64) as pool:
        jobs = {}
        for address in addresses:
            host, port = address.rsplit(":", 1)
            jobs[address] = pool.submit(reached, port, seconds, host)
    return {address: words[job.result()] for address, job in jobs.items()}


def triaged(kinds, seconds, other=False):
    """Given, for the checks: makes tasks of these kinds, and asks your function about their addresses.

    Returns [your words in the order of kinds, how many other words there were, how long it took].
    """
    with ward(kinds, seconds, other) as addresses:
        begin = time.monotonic()
        words = triage(list(addresses), seconds)
        took = time.monotonic() - begin
    found = [words.pop(address, None) for address in addresses] if type(words) is dict else [words]
    return [found, len(words) if type(words) is dict else 0, took]
