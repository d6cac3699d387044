# exercise: triage
# score:    6/6
# why:      no threads: sockets that do not block
import errno
import select
import socket
import time

def triage(addresses, seconds):
    probes, words = {}, dict.fromkeys(addresses, "unreachable")
    for address in addresses:
        host, _, port = address.rpartition(":")
        probe = socket.socket()
        probe.setblocking(False)
        if probe.connect_ex((host, int(port))) in (0, errno.EINPROGRESS, errno.EWOULDBLOCK):
            probes[probe] = address
        else:
            probe.close()
    waiting, end = dict(probes), time.monotonic() + seconds
    while waiting and (left := end - time.monotonic()) > 0:
        _, ready, _ = select.select([], list(waiting), [], left)
        for probe in ready:
            error = probe.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            word = "frozen" if error == 0 else "dead" if error in (errno.ECONNREFUSED, errno.ECONNRESET) else "unreachable"
            words[waiting.pop(probe)] = word
    waiting = {probe: address for probe, address in probes.items() if words[address] == "frozen"}
    end = time.monotonic() + seconds
    while waiting and (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select(list(waiting), [], [], left)
        for probe in ready:
            try:
                came = probe.recv(1)
            except ConnectionError:
                came = b""
            words[waiting.pop(probe)] = "answers" if came else "dead"
    for probe in probes:
        probe.close()
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
