# exercise: merged
# score:    6/7
# breaks:   3
# fails:    merged-ahead: places is for all sources together
# why:      a queue of `places` for each source
def merged(sources, places):
    """A dataset of what several iterators give, each read by a thread of its own.

    Args:
        sources: list of iterators that give float.
        places: int, elements that may wait, 1 or more.
    Returns:
        tf.data.Dataset of float32 scalars; it raises an error at its end if a source has failed.
    """

    def elements():
        queues = [tf.queue.FIFOQueue(places, tf.float32, shapes=[()]) for _ in sources]
        errors = []

        def produce(source, waiting):
            try:
                for element in source:
                    waiting.enqueue(element)
            except tf.errors.CancelledError:
                pass
            except Exception as error:
                errors.append(error)
            if not waiting.is_closed():
                waiting.close()

        for source, waiting in zip(sources, queues):
            threading.Thread(target=produce, args=(source, waiting), daemon=True).start()
        left = list(queues)
        try:
            while left:
                for waiting in list(left):
                    if int(waiting.size()) or waiting.is_closed():
                        try:
                            yield waiting.dequeue()
                        except tf.errors.OutOfRangeError:
                            left.remove(waiting)
                time.sleep(0.002)
        finally:
            for waiting in queues:
                if not waiting.is_closed():
                    waiting.close(cancel_pending_enqueues=True)
        if errors:
            raise errors[0]

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))


def drained(described, places, take):
    """Given, for the checks: sources of [numbers, seconds, fails]; take: how many, None for all."""
    logs = [[] for _ in described]
    sources = [readings(*source, log) for source, log in zip(described, logs)]
    values = []
    error = ""
    elements = iter(merged(sources, places))
    try:
        while take is None or len(values) < take:
            values.append(float(next(elements)))
    except StopIteration:
        pass
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"[-300:]
    made = settled(lambda: sum(len(log) for log in logs))
    del elements
    threads = {thread for log in logs for thread in log}
    end = time.monotonic() + 5
    while any(thread.is_alive() for thread in threads) and time.monotonic() < end:
        time.sleep(0.02)
    alive = sum(thread.is_alive() for thread in threads)
    return {"values": values, "error": error, "made": made, "threads": len(threads), "alive": alive}
