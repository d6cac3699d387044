# exercise: batches
# score:    7/7
# why:      an object knows the session, what it holds and whether the end has come

class Taker:
    def __init__(self, session, n, timeout_ms):
        self.session, self.n, self.timeout_ms = session, n, timeout_ms
        self.held = []

    def take_until_full(self):
        """Why it stopped: "full", "late" or "end"."""
        while len(self.held) != self.n:
            try:
                value = self.session.run("next:0", options=within(self.timeout_ms))
            except tf.errors.DeadlineExceededError:
                return "late"
            except tf.errors.OutOfRangeError:
                return "end"
            self.held.append(float(value))
        return "full"

    def batch(self):
        if self.take_until_full() == "late":
            return None
        batch, self.held = self.held, []
        return batch


def batches(graph_bytes, n, timeout_ms, plan):
    with v1.Session(graph=opened(graph_bytes)) as session:
        taker = Taker(session, n, timeout_ms)
        results = [taker.batch() if word == "batch" else session.run(word) for word in plan]
    return [result for word, result in zip(plan, results) if word == "batch"]
