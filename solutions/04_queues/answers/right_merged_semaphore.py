# exercise: merged
# score:    7/7
# why:      an endless queue, and a semaphore that counts the free places

from queue import SimpleQueue

class Merger:
    def __init__(self, sources, places):
        self.sources = sources
        self.free = threading.Semaphore(places)
        self.line = SimpleQueue()
        self.gone = False

    def read(self, source):
        error = None
        try:
            for number in source:
                self.free.acquire()
                if self.gone:
                    return
                self.line.put(("number", number))
        except Exception as problem:
            error = problem
        self.line.put(("end", error))

    def __call__(self):
        threads = [threading.Thread(target=self.read, args=(source,), daemon=True) for source in self.sources]
        for thread in threads:
            thread.start()
        errors = []
        try:
            for _ in self.sources:
                kind, value = self.line.get()
                while kind == "number":
                    self.free.release()
                    yield value
                    kind, value = self.line.get()
                errors += [value] if value else []
        finally:
            self.gone = True
            self.free.release(len(threads))
        if errors:
            raise errors[0]


def merged(sources, places):
    signature = tf.TensorSpec([], tf.float32)
    return tf.data.Dataset.from_generator(Merger(sources, places), output_signature=signature)
