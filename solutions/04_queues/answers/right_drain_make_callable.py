# exercise: drain
# score:    7/7
# why:      prepares the call once; a match on the error's class

def drain(graph_bytes, timeout_ms):
    graph = opened(graph_bytes)
    session = v1.Session(graph=graph)
    take = session.make_callable(graph.get_tensor_by_name("next:0"), accept_options=True)
    options, metadata = v1.RunOptions(timeout_in_ms=timeout_ms), v1.RunMetadata()
    session.run(graph.get_operation_by_name("fill"))
    values, ended = [], ""
    while not ended:
        try:
            value = take(options, metadata)
        except tf.errors.OpError as error:
            match error:
                case tf.errors.OutOfRangeError():
                    ended = "closed"
                case tf.errors.DeadlineExceededError():
                    ended = "timeout"
                case _:
                    raise
        else:
            values.append(float(value))
    return {"values": values, "ended": ended}
