# exercise: stop
# score:    7/7
# why:      multiprocessing's pool of threads, whose callbacks note how each op ended

from functools import partial
from multiprocessing.pool import ThreadPool

def stop_cleanly(graph_bytes, producers, n):
    ended = {}

    def done(name, _):
        ended[name] = "done"

    def failed(name, error):
        ended[name] = type(error).__name__

    def left(session):
        try:
            while True:
                yield float(session.run("next:0"))
        except tf.errors.OutOfRangeError:
            return

    with v1.Session(graph=opened(graph_bytes)) as session:
        pool = ThreadPool(len(producers))
        for name in producers:
            pool.apply_async(session.run, [name], callback=partial(done, name), error_callback=partial(failed, name))
        pool.close()
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        pool.join()
        return {"taken": taken, "rest": list(left(session)), "ended": ended}
