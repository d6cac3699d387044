# exercise: race
# score:    12/12
# why:      a tf.Variable for the weights, dicts for copies, SciPy's interval
from scipy import stats

def train(first, batches, order, rate, way, remedy):
    w = tf.Variable(np.float32(first))
    copy, step_of = {}, {}
    updates, ages, sums = 0, [], []
    for worker in set(order):
        copy[worker], step_of[worker] = w.read_value(), 0
    for k, worker in enumerate(order[:len(batches)]):
        x, y = batches[k]
        here = copy[worker]
        with tf.GradientTape() as tape:
            tape.watch(here)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(np.asarray(y, np.int64), np.float32(x) @ here))
        g = tape.gradient(loss, here)
        ages.append(updates - step_of[worker])
        renew = [worker]
        if way == "asynchronous":
            dropped = ages[-1] > remedy.get("drop", np.inf) or (worker and updates < remedy.get("warmup", -1))
            if not dropped:
                w.assign_sub(g * (rate / (1. + ages[-1]) if "scale" in remedy and remedy["scale"] else rate))
                updates += 1
        else:
            sums.append(g)
            renew = []
            if len(sums) == len(copy):
                w.assign_sub(rate * tf.reduce_mean(tf.stack(sums), axis=0))
                updates, sums, renew = updates + 1, [], list(copy)
        for each in renew:
            copy[each], step_of[each] = w.read_value(), updates
    return {"updates": updates, "staleness": ages, "weights": w.numpy()}


def compare(seeds, order, rate):
    table = []
    for seed in seeds:
        x, y = seed["test"]
        row = {}
        for way, factor in {"asynchronous": 1, "synchronous": len({*order})}.items():
            made = train(seed["first"], seed["batches"], order, factor * rate, way, {})
            scores = np.asarray(x, np.float64) @ made["weights"]
            scores = scores - scores.max(axis=1, keepdims=True)
            log_p = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
            row[way] = float(-log_p[np.arange(len(y)), np.asarray(y)].mean())
        table.append(row["asynchronous"] - row["synchronous"])
    k = len(table)
    low, high = stats.t.interval(0.95, k - 1, loc=np.mean(table), scale=stats.sem(table))
    better = "asynchronous" if high < 0 else "synchronous" if low > 0 else None
    return {"differences": table, "mean": np.mean(table), "margin": (high - low) / 2, "better": better}
