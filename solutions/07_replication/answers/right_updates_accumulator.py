# exercise: updates
# score:    7/7
# why:      TensorFlow's accumulator decides
def updates(first, arrivals, needed, rate):
    with tf.Graph().as_default():
        accumulator = v1.ConditionalAccumulator(tf.float64, shape=[])
        gradient, step = v1.placeholder(tf.float64, []), v1.placeholder(tf.int64, [])
        give, there = accumulator.apply_grad(gradient, local_step=step), accumulator.num_accumulated()
        take, now = accumulator.take_grad(needed), accumulator.set_global_step(step)
        w, count, dropped, before = first, 0, 0, 0
        with v1.Session() as session:
            for made_at, value in arrivals:
                session.run(give, {gradient: value, step: made_at})
                after = int(session.run(there))
                dropped += after == before
                if after >= needed:
                    w -= rate * float(session.run(take))
                    count += 1
                    session.run(now, {step: count})
                    after = 0
                before = after
    return {"w": float(w), "updates": count, "dropped": dropped}
