# exercise: halving
# score:    10/10
# why:      the rate is a tensor, so that no other one traces anew
@tf.function(reduce_retracing=True)
def gradients(w1, w2, x, y):
    with tf.GradientTape() as tape:
        tape.watch([w1, w2])
        scores = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
        loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, scores, from_logits=True))
    return loss, tape.gradient(loss, [w1, w2])

class Network:
    def __init__(self, setting, seed):
        self.rate, self.age = tf.constant(setting["rate"]), 0
        self.w = [tf.constant(w) for w in first_values(setting["units"], seed)]

    def grow(self, age, train):
        trained = age - self.age
        while self.age < age:
            _, slopes = gradients(*self.w, *train)
            self.w = [w - self.rate * g for w, g in zip(self.w, slopes)]
            self.age += 1
        return trained

def halving(settings, train, validation, epochs, factor, executions):
    teams = [[Network(setting, seed) for seed in range(executions)] for setting in settings]
    standing, rounds, cost = list(range(len(settings))), [], 0
    for power in range(1000):
        if len(standing) == 1:
            return dict(best=standing[0], rounds=rounds, epochs=cost)
        row = {}
        for i in standing:
            cost += sum(net.grow(epochs * factor**power, train) for net in teams[i])
            row[i] = sum(float(gradients(*net.w, *validation)[0]) for net in teams[i]) / executions
            if not np.isfinite(row[i]):
                row[i] = float("inf")
        rounds.append(row)
        standing = [i for _, i in sorted((row[i], i) for i in standing)][:max(1, len(standing) // factor)]
