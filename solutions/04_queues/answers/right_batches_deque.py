# exercise: batches
# score:    7/7
# why:      keeps what it has in a deque between the batches; the session's timeout

import collections

def batches(graph_bytes, n, timeout_ms, plan):
    graph, kept, results = opened(graph_bytes), collections.deque(), []
    config = v1.ConfigProto(operation_timeout_in_ms=timeout_ms)
    with v1.Session(graph=graph, config=config) as session:
        for word in plan:
            if word == "batch":
                enough = True
                try:
                    while len(kept) < n:
                        kept.append(session.run("next:0"))
                except tf.errors.OpError as error:
                    enough = isinstance(error, tf.errors.OutOfRangeError)
                results.append([kept.popleft() for _ in range(min(n, len(kept)))] if enough else None)
            else:
                session.run(word)
    return results
