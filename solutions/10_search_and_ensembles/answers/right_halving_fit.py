# exercise: halving
# score:    10/10
# why:      Keras's fit with one batch an epoch
def network(setting, seed):
    hidden = keras.layers.Dense(setting["units"], "relu", use_bias=False)
    model = keras.Sequential([keras.Input([64]), hidden, keras.layers.Dense(10, use_bias=False)])
    model.set_weights(first_values(setting["units"], seed))
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(setting["rate"]), loss, run_eagerly=True)
    return model

def halving(settings, train, validation, epochs, factor, executions):
    alive = {i: [network(setting, seed) for seed in range(executions)] for i, setting in enumerate(settings)}
    answer = {"best": 0, "rounds": [], "epochs": 0}
    past = 0
    while len(alive) > 1:
        scores = {}
        for i, models in alive.items():
            losses = []
            for model in models:
                model.fit(*train, batch_size=len(train[0]), initial_epoch=past, epochs=epochs, verbose=0)
                answer["epochs"] += epochs - past
                losses.append(model.evaluate(*validation, batch_size=len(validation[0]), verbose=0))
            mean = float(np.mean(losses))
            scores[i] = mean if np.isfinite(mean) else float("inf")
        answer["rounds"].append(scores)
        best = sorted(alive, key=lambda i: (scores[i], i))[:max(1, len(alive) // factor)]
        alive = {i: alive[i] for i in sorted(best)}
        answer["best"] = best[0]
        past, epochs = epochs, epochs * factor
    return answer
