# exercise: merged
# score:    1/7
# breaks:   2
# fails:    merged-all: some elements never came
# fails:    merged-ahead: neutral
# fails:    merged-fails: elements that came before the error are lost
# fails:    merged-slow: neutral
# why:      takes an element of each source to see whether it works, and drops it

def merged(sources, places):
    def elements():
        waiting = tf.queue.FIFOQueue(places, tf.float32, shapes=[()])
        running, errors, lock = list(sources), [], threading.Lock()

        def close():
            with lock:
                if not waiting.is_closed():
                    waiting.close(cancel_pending_enqueues=True)

        def produce(source):
            try:
                next(source, None)
                for element in source:
                    waiting.enqueue(element)
            except tf.errors.CancelledError:
                pass
            except Exception as error:
                errors.append(error)
            with lock:
                running.remove(source)
            if not running:
                close()

        for source in sources:
            threading.Thread(target=produce, args=(source,), daemon=True).start()
        try:
            while True:
                try:
                    element = waiting.dequeue()
                except tf.errors.OutOfRangeError:
                    break
                yield element
        finally:
            close()
        if errors:
            raise errors[0]

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
