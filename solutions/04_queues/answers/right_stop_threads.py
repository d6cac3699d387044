# exercise: stop
# score:    7/7
# why:      plain threads that write down how they ended
import threading

def stop_cleanly(graph_bytes, producers, n):
    ended, values = {}, []
    session = v1.Session(graph=opened(graph_bytes))

    def produce(name):
        ended[name] = "done"
        try:
            session.run(name)
        except Exception as error:
            ended[name] = error.__class__.__name__

    threads = [threading.Thread(target=produce, args=(name,), daemon=True) for name in producers]
    for thread in threads:
        thread.start()
    while len(values) < n:
        values.append(session.run("next:0"))
    session.run("cancel")
    for thread in threads:
        thread.join()
    while True:
        try:
            values.append(session.run("next:0"))
        except tf.errors.OutOfRangeError:
            break
    session.close()
    return {"taken": values[:n], "rest": values[n:], "ended": ended}
