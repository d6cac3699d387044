# exercise: race
# score:    8/12
# breaks:   3
# fails:    race-staleness: each gradient's own update is counted: count those before it
# fails:    race-scale: neutral
# fails:    race-drop: neutral
# fails:    race-warmup: neutral
# why:      a gradient counts itself
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
        age = updates - seen + 1
        staleness.append(age)
        if way == "synchronous":
            staleness[-1] = 0
            waiting.append(gradient)
            if len(waiting) == len(copies):
                w = w - rate * tf.add_n(waiting) / len(waiting)
                updates += 1
                waiting = []
                copies = {each: (w, updates) for each in copies}
            continue
        cold = worker != 0 and updates < remedy.get("warmup", 0)
        if age <= (remedy["drop"] + 1 if "drop" in remedy else age) and not cold:
            w = w - rate / (age if remedy.get("scale") else 1) * gradient
            updates += 1
        copies[worker] = (w, updates)
    return {"weights": w.numpy(), "staleness": staleness, "updates": updates}

def compare(seeds, order, rate):
    def test_loss(weights, x, y):
        logits = np.float32(x) @ weights
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=np.int32(y), logits=logits)
        return float(tf.reduce_mean(losses))

    differences = []
    for seed in seeds:
        found = []
        for way, its_rate in (("asynchronous", rate), ("synchronous", rate * len(set(order)))):
            run = train(seed["first"], seed["batches"], order, its_rate, way, {})
            found.append(test_loss(run["weights"], *seed["test"]))
        differences.append(found[0] - found[1])
    k = len(differences)
    mean = float(np.mean(differences))
    margin = float(stats.t.ppf(0.975, k - 1) * np.std(differences, ddof=1) / np.sqrt(k))
    better = None
    if abs(mean) > margin:
        better = "asynchronous" if mean < 0 else "synchronous"
    return {"differences": differences, "mean": mean, "margin": margin, "better": better}
