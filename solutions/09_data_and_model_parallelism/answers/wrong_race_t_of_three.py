# exercise: race
# score:    10/12
# breaks:   15
# fails:    race-verdict: neutral
# why:      takes the t of three seeds for any number
from scipy import stats

def train(first, batches, order, rate, way, remedy):
    """Train softmax regression with several workers, one gradient after the other.

    Args:
        first: float array [features, classes].
        batches: list of (x, y): float array [rows, features], int array [rows].
        order: list of int, the worker of each gradient; worker 0 is one of them.
        rate: float. way: "asynchronous" or "synchronous".
        remedy: dict, empty or with one of the keys "scale", "drop", "warmup".
    Returns:
        dict: "weights" [features, classes], "staleness" list of int, "updates" int.
    """
    w = tf.constant(first, tf.float32)
    updates = 0
    copies = {worker: (w, 0) for worker in order}
    staleness, waiting = [], []
    for (x, y), worker in zip(batches, order):
        copy, seen = copies[worker]
        with tf.GradientTape() as tape:
            tape.watch(copy)
            logits = tf.constant(x, tf.float32) @ copy
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(np.int32(y), logits)
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
    """Compare asynchronous with synchronous training over pairs with the same seed.

    Args:
        seeds: list of at least two dict: "first", "batches" as in train, "test": (x, y).
        order: list of int, as in train. rate: float, of asynchronous training.
    Returns:
        dict: "differences" list of float, "mean" float, "margin" float,
            "better": "asynchronous", "synchronous" or None.
    """
    def test_loss(weights, x, y):
        logits = np.float32(x) @ weights
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(np.int32(y), logits)
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
    margin = float(4.302652729911275 * np.std(differences, ddof=1) / np.sqrt(k))
    better = None
    if abs(mean) > margin:
        better = "asynchronous" if mean < 0 else "synchronous"
    return {"differences": differences, "mean": mean, "margin": margin, "better": better}
