# exercise: pipeline
# score:    8/8
# why:      a Python thread reads each shard and hands its numbers over by a queue of one place

import queue

def input_pipeline(paths, n, ahead):
    def numbers():
        waiting, gone, end = queue.Queue(1), threading.Event(), object()

        def give(item):
            while not gone.is_set():
                try:
                    waiting.put(item, timeout=0.05)
                    return
                except queue.Full:
                    continue

        def read(path):
            try:
                for number in open_shard(path).as_numpy_iterator():
                    give(number)
            except tf.errors.OpError:
                pass                                 # the damage: nothing more to be read here
            give(end)

        for path in paths:
            threading.Thread(target=read, args=(path,), daemon=True).start()
        try:
            left = len(paths)
            while left:
                item = waiting.get()
                if item is end:
                    left -= 1
                else:
                    yield item
        finally:
            gone.set()

    dataset = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int64))
    return dataset.batch(n).prefetch(ahead)
