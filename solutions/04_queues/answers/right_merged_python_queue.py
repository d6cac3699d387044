# exercise: merged
# score:    7/7
# why:      queue.Queue with an end mark from each source, and an event for a consumer that has gone

import queue

def merged(sources, places):
    def elements():
        waiting, gone, end = queue.Queue(places), threading.Event(), object()

        def give(item):
            while not gone.is_set():
                try:
                    return waiting.put(item, timeout=0.05)
                except queue.Full:
                    pass

        def produce(source):
            outcome = None
            try:
                for element in source:
                    give((None, element))
                    if gone.is_set():
                        break
            except Exception as error:
                outcome = error
            give((end, outcome))

        for source in sources:
            threading.Thread(target=produce, args=(source,), daemon=True).start()
        left, failure = len(sources), None
        try:
            while left:
                kind, value = waiting.get()
                if kind is end:
                    left, failure = left - 1, failure or value
                else:
                    yield value
        finally:
            gone.set()
        if failure:
            raise failure

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec(shape=(), dtype=tf.float32))
