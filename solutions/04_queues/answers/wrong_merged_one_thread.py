# exercise: merged
# score:    3/7
# breaks:   1
# fails:    merged-all: by a thread of its own
# fails:    merged-stops: by a thread of its own
# fails:    merged-slow: waits for the slow one
# why:      one thread reads the sources one after the other

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
            if not running:
                close()

        def produce_all():
            for source in sources:
                produce(source)

        threading.Thread(target=produce_all, daemon=True).start()
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
