# exercise: triage
# score:    1/6
# breaks:   4
# fails:    triage-near: the connection was refused, so there is a system that says that nobody listens
# fails:    triage-away: neutral
# fails:    triage-slow: neutral
# fails:    triage-many: neutral
# why:      takes a refused connection for no reply
import concurrent.futures
import socket

def triage(addresses, seconds):
    """Tell tasks that answer from frozen, dead and unreachable ones."""
    def look(address):
        host, _, port = address.rpartition(":")
        try:
            connection = socket.create_connection((host, int(port)), seconds)
        except ConnectionError:
            return "unreachable"
        except OSError:
            return "unreachable"
        with connection:
            try:
                return "answers" if connection.recv(1) else "dead"
            except TimeoutError:
                return "frozen"
            except OSError:
                return "dead"

    with concurrent.futures.ThreadPoolExecutor(len(addresses)) as pool:
        return dict(zip(addresses, pool.map(look, addresses)))

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
