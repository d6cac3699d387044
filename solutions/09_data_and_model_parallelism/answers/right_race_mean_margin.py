# exercise: race
# score:    12/12
# why:      the reference's training; compare with the lesson's mean_and_margin
from scipy import stats

def train(first, batches, order, rate, way, remedy):
    w = tf.constant(first, tf.float32)
    updates = 0
    copies = {worker: (w, 0) for worker in order}
    staleness, waiting = [], []
    for (x, y), worker in zip(batches, order):
        copy, seen = copies[worker]
        with tf.GradientTape() as tape:
            tape.watch(copy)
            logits = tf.constant(x, tf.float32) @ copy
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.int32(y), logits=logits)
            loss = tf.reduce_mean(losses)
        gradient = tape.gradient(loss, copy)
        age = updates - seen
        staleness.append(age)
        if way == "synchronous":
            waiting.append(gradient)
            if len(waiting) == len(copies):
                w = w - rate * tf.add_n(waiting) / len(waiting)
                updates += 1
                waiting = []
                copies = {each: (w, updates) for each in copies}
            continue
        cold = worker != 0 and updates < remedy.get("warmup", 0)
        if age <= remedy.get("drop", age) and not cold:
            w = w - rate / (1 + age if remedy.get("scale") else 1) * gradient
            updates += 1
        copies[worker] = (w, updates)
    return {"weights": w.numpy(), "staleness": staleness, "updates": updates}

def compare(seeds, order, rate):
    def loss(run, way, r):
        w = train(run["first"], run["batches"], order, r, way, {})["weights"]
        x, y = run["test"]
        return np.mean(tf.nn.sparse_softmax_cross_entropy_with_logits(np.int32(y), np.float32(x) @ w))

    n = len(set(order))
    gaps = [float(loss(run, "asynchronous", rate) - loss(run, "synchronous", n * rate)) for run in seeds]
    mean, margin = mean_and_margin(gaps)
    if mean + margin < 0:
        winner = "asynchronous"
    elif mean - margin > 0:
        winner = "synchronous"
    else:
        winner = None
    return {"differences": gaps, "mean": mean, "margin": margin, "better": winner}
