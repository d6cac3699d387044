# exercise: race
# score:    12/12
# why:      a tf.function for the gradient with the closed form
import scipy.stats
from scipy import stats

@tf.function(reduce_retracing=True)
def slope(w, x, y):
    classes = tf.shape(w)[1]
    p = tf.nn.softmax(x @ w) - tf.one_hot(y, classes)
    return tf.transpose(x) @ p / tf.cast(tf.shape(x)[0], tf.float32)

class Server:
    def __init__(self, w):
        self.w, self.made = w, 0
    def step(self, change):
        self.w, self.made = self.w - change, self.made + 1

def train(first, batches, order, rate, way, remedy):
    server = Server(np.array(first, np.float32))
    seen = {i: (server.w, server.made) for i in order}
    age, bag = [], []
    for who, (x, y) in zip(order, batches):
        w, at = seen[who]
        g = slope(w, np.array(x, np.float32), np.array(y, np.int32)).numpy()
        age += [server.made - at]
        if way[0] == "s":
            bag += [g]
            if len(bag) < len(seen):
                continue
            server.step(rate * np.mean(bag, 0))
            bag = []
            for i in seen:
                seen[i] = (server.w, server.made)
            continue
        if remedy.get("scale"):
            server.step(rate * g / (1 + age[-1]))
        elif "drop" in remedy and age[-1] > remedy["drop"]:
            pass
        elif "warmup" in remedy and who and server.made < remedy["warmup"]:
            pass
        else:
            server.step(rate * g)
        seen[who] = (server.w, server.made)
    return {"weights": server.w, "staleness": age, "updates": server.made}


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
