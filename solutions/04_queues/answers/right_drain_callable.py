# exercise: drain
# score:    7/7
# why:      a generator takes the elements

def drain(graph_bytes, timeout_ms):
    session = v1.Session(graph=opened(graph_bytes))
    session.run("fill")

    def elements():
        while True:
            yield float(session.run("next:0", options=within(timeout_ms)))

    found = {"values": []}
    try:
        for value in elements():
            found["values"].append(value)
    except tf.errors.DeadlineExceededError:
        found["ended"] = "timeout"
    except tf.errors.OutOfRangeError:
        found["ended"] = "closed"
    finally:
        session.close()
    return found
