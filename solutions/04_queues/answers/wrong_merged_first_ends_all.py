# exercise: merged
# score:    2/7
# breaks:   5
# fails:    merged-all: some elements never came
# fails:    merged-fails: has stopped the other one
# fails:    merged-slow: neutral
# why:      the first source that ends closes the queue

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
                for element in source:
                    waiting.enqueue(element)
            except tf.errors.CancelledError:
                pass
            except Exception as error:
                errors.append(error)
            with lock:
                running.remove(source)
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
