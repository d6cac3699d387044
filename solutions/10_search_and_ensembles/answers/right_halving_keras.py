# exercise: halving
# score:    10/10
# why:      Keras models and train_on_batch
def halving(settings, train, validation, epochs, factor, executions):
    x, y = train
    models = []
    for setting in settings:
        models.append([])
        for seed in range(executions):
            w1, w2 = first_values(setting["units"], seed)
            model = keras.Sequential([keras.Input([64]), keras.layers.Dense(setting["units"], "relu", use_bias=False),
                                      keras.layers.Dense(10, "softmax", use_bias=False)])
            model.set_weights([w1, w2])
            model.compile(keras.optimizers.SGD(setting["rate"]),
                          keras.losses.SparseCategoricalCrossentropy(), run_eagerly=True)
            models[-1].append(model)
    rest, done, total, rounds, spent = list(range(len(settings))), 0, epochs, [], 0
    while len(rest) > 1:
        found = {}
        for i in rest:
            losses = []
            for model in models[i]:
                for _ in range(done, total):
                    model.train_on_batch(x, y)
                    spent += 1
                right = model(validation[0]).numpy()[np.arange(len(validation[1])), validation[1]]
                losses.append(-np.log(right).mean())
            found[i] = float(np.mean(losses)) if np.all(np.isfinite(losses)) else np.inf
        rounds.append(found)
        keep = max(1, len(rest) // factor)
        rest = sorted(sorted(rest), key=found.get)[:keep]
        done, total = total, factor * total
    return {"best": rest[0], "rounds": rounds, "epochs": spent}
