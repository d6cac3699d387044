# exercise: batches
# score:    7/7
# why:      a function takes one element and says why there is none

def one_more(session, timeout_ms):
    """An element, or why there is none."""
    try:
        return session.run("next:0", options=v1.RunOptions(timeout_in_ms=timeout_ms)).item(), None
    except tf.errors.DeadlineExceededError:
        return None, "late"
    except tf.errors.OutOfRangeError:
        return None, "end"


def batches(graph_bytes, n, timeout_ms, plan):
    results, have = [], []
    session = v1.Session(graph=opened(graph_bytes))
    for word in plan:
        if word != "batch":
            session.run(word)
            continue
        why = None
        while len(have) < n and why is None:
            value, why = one_more(session, timeout_ms)
            have = have + [value] if why is None else have
        if why == "late":
            results.append(None)
        else:
            results.append(have[:n])
            have = have[n:]
    session.close()
    return results
