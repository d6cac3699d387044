# exercise: triage
# score:    6/6
# why:      a thread each, and a dict that they fill
import socket
import threading

def triage(addresses, seconds):
    words = {}

    def look(address):
        host, port = address.split(":")
        probe = socket.socket()
        probe.settimeout(seconds)
        words[address] = "unreachable"
        try:
            probe.connect((host, int(port)))
            words[address] = "frozen"
            words[address] = "answers" if probe.recv(100) else "dead"
        except (ConnectionRefusedError, ConnectionResetError):
            words[address] = "dead"
        except OSError:
            pass                                     # what it was before holds
        finally:
            probe.close()

    threads = [threading.Thread(target=look, args=(address,)) for address in addresses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return words


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
