# exercise: stop
# score:    7/7
# why:      threads by hand, joined

def stop_cleanly(graph_bytes, producers, n):
    session = v1.Session(graph=opened(graph_bytes))
    report = {"taken": [], "rest": [], "ended": {}}

    def produce(name):
        end = "done"
        try:
            session.run(name)
        except Exception as error:
            end = type(error).__name__
        report["ended"][name] = end

    threads = [threading.Thread(target=produce, args=(name,)) for name in producers]
    for thread in threads:
        thread.start()
    while len(report["taken"]) < n:
        report["taken"].append(float(session.run("next:0")))
    session.run("cancel")
    for thread in threads:
        thread.join()
    while session.run("size:0"):
        report["rest"].append(float(session.run("next:0")))
    session.close()
    return report
