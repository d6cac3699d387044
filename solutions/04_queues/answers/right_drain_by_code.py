# exercise: drain
# score:    7/7
# why:      tells the errors apart by their codes

def drain(graph_bytes, timeout_ms):
    ends = {tf.errors.OUT_OF_RANGE: "closed", tf.errors.DEADLINE_EXCEEDED: "timeout"}
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        try:
            while True:
                values.append(session.run("next:0", options=within(timeout_ms)).item())
        except tf.errors.OpError as error:
            if error.error_code not in ends:
                raise
            return {"values": values, "ended": ends[error.error_code]}
