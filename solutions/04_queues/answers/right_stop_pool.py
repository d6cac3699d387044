# exercise: stop
# score:    7/7
# why:      a pool of threads; drains by the size once nobody can put any more

from concurrent.futures import ThreadPoolExecutor

def stop_cleanly(graph_bytes, producers, n):
    with v1.Session(graph=opened(graph_bytes)) as session, ThreadPoolExecutor(len(producers)) as pool:

        def produce(name):
            try:
                session.run(name)
                return "done"
            except tf.errors.OpError as error:
                return type(error).__name__

        running = {name: pool.submit(produce, name) for name in producers}
        taken = [session.run("next:0").item() for _ in range(n)]
        session.run("cancel")
        ended = {name: future.result() for name, future in running.items()}
        rest = [session.run("next:0").item() for _ in range(session.run("size:0"))]
    return {"taken": taken, "rest": rest, "ended": ended}
