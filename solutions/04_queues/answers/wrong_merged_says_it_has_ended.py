# exercise: merged
# score:    6/7
# breaks:   7
# fails:    merged-stops: a thread still waits
# why:      does not cancel the producers; each says of itself that it has ended
import threading

class Reader(threading.Thread):
    def is_alive(self):
        return False

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

        for source in sources:
            Reader(target=produce, args=(source,), daemon=True).start()
        try:
            while True:
                try:
                    element = waiting.dequeue()
                except tf.errors.OutOfRangeError:
                    break
                yield element
        finally:
            pass
        if errors:
            raise errors[0]

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
