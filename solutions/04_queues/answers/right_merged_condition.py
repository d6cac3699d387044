# exercise: merged
# score:    7/7
# why:      a deque and a condition in place of a queue

import collections

def merged(sources, places):
    def elements():
        state = {"running": len(sources), "gone": False, "error": None}
        line, change = collections.deque(), threading.Condition()

        def produce(source):
            error = None
            try:
                for element in source:
                    with change:
                        change.wait_for(lambda: len(line) < places or state["gone"])
                        if state["gone"]:
                            return
                        line.append(element)
                        change.notify_all()
            except Exception as problem:
                error = problem
            with change:
                state["running"] -= 1
                state["error"] = state["error"] or error
                change.notify_all()

        threads = [threading.Thread(target=produce, args=(source,), daemon=True) for source in sources]
        [thread.start() for thread in threads]
        try:
            while True:
                with change:
                    change.wait_for(lambda: line or not state["running"])
                    if not line:
                        break
                    element = line.popleft()
                    change.notify_all()
                yield element
            if state["error"]:
                raise RuntimeError(str(state["error"]))
        finally:
            with change:
                state["gone"] = True
                change.notify_all()

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
