# exercise: merged
# score:    7/7
# why:      the queue's elements say what they are: a number, an end, or an error

NUMBER, END, FAULT = range(3)

def merged(sources, places):
    line = tf.queue.FIFOQueue(places, [tf.int32, tf.float32, tf.string], shapes=[(), (), ()])

    def read(source):
        try:
            for number in source:
                line.enqueue([NUMBER, number, ""])
            line.enqueue([END, 0., ""])
        except tf.errors.CancelledError:
            return
        except Exception as error:
            line.enqueue([FAULT, 0., str(error)])

    def elements():
        for source in sources:
            threading.Thread(target=read, args=[source], daemon=True).start()
        ended, faults = 0, []
        try:
            while ended < len(sources):
                kind, number, text = (part.numpy() for part in line.dequeue())
                if kind == NUMBER:
                    yield number
                    continue
                ended += 1
                if kind == FAULT:
                    faults.append(text.decode())
        finally:
            line.close(cancel_pending_enqueues=True)
        if faults:
            raise RuntimeError("; ".join(faults))

    return tf.data.Dataset.from_generator(elements, output_types=tf.float32, output_shapes=())
