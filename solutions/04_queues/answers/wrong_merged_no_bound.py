# exercise: merged
# score:    6/7
# breaks:   4
# fails:    merged-ahead: never made to wait
# why:      a queue without a bound

def merged(sources, places):
    def elements():
        waiting = tf.queue.FIFOQueue(100000, tf.float32, shapes=[()])
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
