# exercise: triage
# score:    6/6
# why:      a table from kinds of errors to words, for each of two phases
import socket
from concurrent.futures import ThreadPoolExecutor, as_completed

PHASES = [
    (lambda probe, address: probe.connect(address), "unreachable"),
    (lambda probe, address: probe.recv(1), "frozen"),
]

def word_for(address, seconds):
    host, port = address.rsplit(":", 1)
    came = None
    with socket.socket() as probe:
        for act, silent in PHASES:
            probe.settimeout(seconds)
            try:
                came = act(probe, (host, int(port)))
            except TimeoutError:
                return silent
            except ConnectionError:
                return "dead"
            except OSError:
                return silent
    return "answers" if came else "dead"


def triage(addresses, seconds):
    with ThreadPoolExecutor(max_workers=64) as pool:
        jobs = {pool.submit(word_for, address, seconds): address for address in addresses}
        return {jobs[job]: job.result() for job in as_completed(jobs)}


def triaged(kinds, seconds, other=False):
    """Given, for the checks: makes tasks of these kinds, and asks your function about their addresses.

    Returns [your words in the order of kinds, how many other words there were, how long it took].
    """
    with ward(kinds, seconds, other) as addresses:
        begin = time.monotonic()
        words = triage(list(addresses), seconds)
        took = time.monotonic() - begin
    if not isinstance(words, dict):
        return [[words], 0, took]
    return [[words.pop(address, None) for address in addresses], len(words), took]
