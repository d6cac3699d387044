# exercise: batches
# score:    2/7
# fails:    batches-kept, batches-again, batches-closed
# says:     the first of the next batch, in their order
# why:      puts the incomplete batch back: to the end of the queue, behind newer elements
def batches(graph_bytes, n, timeout_ms, plan):
    graph, results = opened(graph_bytes), []
    with graph.as_default():
        [queue] = [op.outputs[0] for op in graph.get_operations() if op.type == "FIFOQueueV2"]
        back = v1.placeholder(tf.float32, [])
        put_back = tf.raw_ops.QueueEnqueueV2(handle=queue, components=[back])
    with v1.Session(graph=graph) as session:
        waiting = []
        for word in plan:
            if word != "batch":
                session.run(word)
                if word != "close":
                    for value in waiting:
                        session.run(put_back, {back: value})
                    waiting = []
                continue
            batch = []
            try:
                while len(batch) < n:
                    batch.append(float(session.run("next:0", options=within(timeout_ms))))
                results.append(batch)
            except tf.errors.DeadlineExceededError:
                waiting += batch
                results.append(None)
            except tf.errors.OutOfRangeError:
                results.append(batch)
    return results
