# exercise: triage
# score:    6/6
# why:      asyncio in a thread of its own
import asyncio
import threading

async def look(address, seconds):
    host, _, port = address.partition(":")
    try:
        reader, writer = await asyncio.wait_for(asyncio.open_connection(host, int(port)), seconds)
    except ConnectionError:
        return "dead"
    except (asyncio.TimeoutError, OSError):
        return "unreachable"
    try:
        await asyncio.wait_for(reader.readexactly(1), seconds)
        return "answers"
    except asyncio.TimeoutError:
        return "frozen"
    except (asyncio.IncompleteReadError, ConnectionError):
        return "dead"
    finally:
        writer.close()


def triage(addresses, seconds):
    found = []

    async def all_of_them():
        return await asyncio.gather(*(look(address, seconds) for address in addresses))

    thread = threading.Thread(target=lambda: found.extend(asyncio.run(all_of_them())))
    thread.start()
    thread.join()
    return {address: word for address, word in zip(addresses, found)}


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
