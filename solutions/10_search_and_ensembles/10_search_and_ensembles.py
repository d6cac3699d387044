# %% [markdown] minutes=130 exercises=60 gives="search settings with several workers, retrain the best, tell luck from progress, weigh the models of an ensemble" after="09"
# # Lesson 10 · Search and ensembles
#
# A colleague left four GPUs at work overnight and tried 200 settings of a network. The morning's report says: "Our best model is
# 98.7 % accurate on the 300 validation rows. An ensemble of our five best settings will be better still." Your boss wants to
# know three things. Could the same search have been done in less time? Will customers see 98.7 %? And is the ensemble worth
# five times the computing? At the end of this lesson you answer all three.
#
# After this lesson you can
#
# 1. try many settings of a network at the same time, and stop the bad ones early;
# 2. say how much of the winner's score is luck, and train a final model;
# 3. combine several models, and show with an error bar whether that helped.
#
# **Hardware:** CPU only. Three of the four logical CPU devices play the part of GPUs. The search runs in real processes.

# %% include="quiet_start.py" devices=4

# %% include="checks.py placement_record.py local_cluster.py digits_rows.py search_watch.py search_pictures.py optimism_widget.py trial_workers.py"

# %% [markdown]
# ## Sitting 1 · Search
#
# ![Left, a search: an oracle, the chief, holds the list of trials and hands a trial to each of two workers; each worker trains one network on its own device and sends back a score. Middle, the final model: the best hyperparameters and the best epoch, trained again on all data for 1.2 times as many epochs. Right, an ensemble: three networks and a tree model each give probabilities; a weighted mean of them is the answer.](assets/10_search_and_ensemble.svg)
#
# The easiest parallelism of all is **one model per device**. The models share nothing, so none waits for another. Two jobs
# are made for it. A **search** trains many models and keeps the best. An **ensemble** keeps several and averages what they say.
#
# The data are 1797 handwritten digits of 8×8 pixels, which come with scikit-learn. They are split in three:

# %% grading="skip"
import keras
import keras_tuner as kt

train, validation, test = digits()
print([part[0].shape for part in (train, validation, test)])

# %% [markdown]
# | part | what you use it for |
# | --- | --- |
# | train | gradients |
# | validation | every *decision*: which setting, which epoch, which weights |
# | test | one number at the very end. If you decide by it, it is a second validation set |
#
# ## 1 One network per device
#
# A **hyperparameter** is a setting that training does not change: the learning rate, the number of units. Try three learning
# rates, each with a small network on a device of its own. One thread drives each device: TensorFlow releases Python's lock
# while its kernels work.

# %% grading="skip"
from concurrent.futures import ThreadPoolExecutor

DEVICES_USED = ["/device:CPU:1", "/device:CPU:2", "/device:CPU:3"]

def train_on(device, rate, steps=100):
    """The validation loss of a one-layer network after so many steps on all training rows."""
    with tf.device(device):
        w = tf.Variable(tf.zeros([64, 10]))
        for _ in range(steps):
            with tf.GradientTape() as tape:
                logits = tf.matmul(train[0], w)
                costs = tf.nn.sparse_softmax_cross_entropy_with_logits(train[1], logits)
                loss = tf.reduce_mean(costs)
            w.assign_sub(rate * tape.gradient(loss, w))
        costs = tf.nn.sparse_softmax_cross_entropy_with_logits(validation[1], validation[0] @ w)
        return float(tf.reduce_mean(costs))

# %% predict="three-rates"
# Predict: 100 steps with learning rates 0.01, 1 and 100. Which rate gives the lowest loss?
best_rate = ...

# %% grading="skip"
rates = [0.01, 1.0, 100.0]
with ThreadPoolExecutor(3) as pool:
    losses = list(pool.map(train_on, DEVICES_USED, rates))
print("validation losses:", [round(loss, 3) for loss in losses])
why = "Too small has not arrived after 100 steps; too large jumps about."
compare_prediction("best rate", best_rate, rates[int(np.argmin(losses))], why)

# %% [markdown]
# That is a whole search in miniature: **choose settings, train, compare on validation data, keep the best**.
#
# The classic form is one graph that holds all networks. One `session.run` then makes a step of every network:

# %% grading="skip"
v1 = tf.compat.v1

def one_per_device(rates, devices):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        y = v1.placeholder(tf.int32, [None], name="y")
        steps = []
        for i, rate in enumerate(rates):
            with tf.device(devices[i % len(devices)]), tf.name_scope(f"net{i}"):
                w = v1.Variable(tf.zeros([64, 10]), name="w")
                logits = tf.matmul(x, w)
                costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                loss = tf.reduce_mean(costs, name="loss")
                steps.append(v1.train.GradientDescentOptimizer(rate).minimize(loss))
        tf.group(*steps, name="train")
    return graph

# %% grading="skip"
graph = one_per_device(rates, DEVICES_USED)
cpus = v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
with v1.Session(graph=graph, config=cpus) as session:
    session.run([op for op in graph.get_operations() if op.type == "AssignVariableOp"])
    for _ in range(100):
        session.run("train", {"x:0": train[0], "y:0": train[1]})
    feed = {"x:0": validation[0], "y:0": validation[1]}
    print([f"{loss:.3f}" for loss in session.run([f"net{i}/loss:0" for i in range(3)], feed)])

# %% [markdown]
# The same three losses. In both forms no network reads anything from another, so no device waits for another. (These devices share
# your computer's cores; real GPUs do not.)
#
# One graph must hold all networks before you start. Threads and processes can take the next setting as soon as they are free,
# and a search needs that.
#
# ## 2 A space to search in
#
# **KerasTuner** calls one choice of all hyperparameters a **trial**. The values that a trial may take are the **space**. You
# declare it with an `hp` object. Each call does two things: it *declares* a range, and it *returns* this trial's value.

# %% grading="skip"
hp = kt.HyperParameters()
print(hp.Int("units", 8, 128, step=2, sampling="log"), "units; the next values: 16, 32, 64, 128")
print(hp.Float("rate", 1e-4, 1e-1, sampling="log"), "is the learning rate")
print(hp.Choice("optimizer", ["adam", "sgd"]))
print([entry.name for entry in hp.space])

# %% [markdown]
# Outside a search, each call returns the *default*: the smallest value, or the first.
#
# Why `sampling="log"`? Draw 1000 learning rates each way.

# %% grading="skip"
below = draw_scales(1e-4, 1e-1)
print("below 0.01, of 1000:", below)

# %% [markdown]
# What works by *factors* (learning rates, units, batch sizes) belongs on a log scale.
#
# Some hyperparameters exist only together with others. Momentum means nothing to Adam:

# %% grading="skip"
with hp.conditional_scope("optimizer", ["sgd"]):
    momentum = hp.Float("momentum", 0.0, 0.9)
print("adam:", momentum, "| active now:", sorted(hp.values))
hp.values = {**hp.values, "optimizer": "sgd", "momentum": 0.5}     # as a tuner does for a trial
with hp.conditional_scope("optimizer", ["sgd"]):
    print("sgd:", hp.Float("momentum", 0.0, 0.9))

# %% [markdown]
# An inactive hyperparameter is `None` and takes no part. Without the condition, the search would believe that momentum
# matters to Adam, and would spend trials on it.
#
# A **model function** takes `hp`, declares the space as it goes, and returns a compiled model. `described` looks at one: what
# does it declare, and which model does it make from given values?

# %% grading="skip"
def build(hp):
    units = hp.Int("units", 8, 128, step=2, sampling="log")
    rate = hp.Float("rate", 1e-4, 1e-1, sampling="log")
    model = keras.Sequential([
        keras.Input([64]),
        keras.layers.Dense(units, "relu"),
        keras.layers.Dense(10, "softmax"),
    ])
    loss = "sparse_categorical_crossentropy"
    model.compile(keras.optimizers.Adam(rate), loss, metrics=["accuracy"])
    return model

found = described(build, {"units": 32, "rate": 0.02})
print(found["layers"], found["optimizer"], round(found["rate"], 4))

# %% [markdown] exercise="space"
# ### Exercise 1 · A space with scales and a condition
#
# Write the model function `build_digits(hp, smallest, largest, slowest, fastest)`. It declares these hyperparameters, by these
# names:
#
# | name | values |
# | --- | --- |
# | `layers` | 1, 2 or 3 {#1} |
# | `units` | `smallest`, twice that, four times that, … {#2} up to and including `largest`, which is `smallest` times a power of two {#3} |
# | `rate` | any number from `slowest` to `fastest` {#4}, on a log scale {#5} |
# | `optimizer` | `"sgd"` or `"adam"` {#6} |
# | `momentum` | any number from 0 to 0.9, evenly {#7}; it exists **only if** `optimizer` is `"sgd"` {#8} |
#
# and returns a compiled model for this trial's values: inputs of 64 numbers, then `layers` Dense layers of `units` units with
# relu, then Dense with 10 units and softmax {#9}; Keras's `SGD` with this rate and momentum, or `Adam` with this rate {#10}; loss
# `"sparse_categorical_crossentropy"` {#11}.
#
# Example: with the limits 8, 64, 0.001 and 0.1, `units` is 8, 16, 32 or 64, and the middle of `rate` is 0.01.

# %% solution="space" kind="today"
def build_digits(hp, smallest, largest, slowest, fastest):
    """Declare a search space and build a model from it.

    Args:
        hp: keras_tuner.HyperParameters.
        smallest, largest: int, the fewest and the most units.
        slowest, fastest: float, the least and the largest learning rate.
    Returns:
        keras.Model: compiled, for the values that hp has.
    """
    ### BEGIN SOLUTION
    layers = hp.Int("layers", 1, 3)
    units = hp.Int("units", smallest, largest, step=2, sampling="log")
    rate = hp.Float("rate", slowest, fastest, sampling="log")
    name = hp.Choice("optimizer", ["sgd", "adam"])
    with hp.conditional_scope("optimizer", ["sgd"]):
        momentum = hp.Float("momentum", 0.0, 0.9)
    model = keras.Sequential([keras.Input([64])])
    for _ in range(layers):
        model.add(keras.layers.Dense(units, "relu"))
    model.add(keras.layers.Dense(10, "softmax"))
    if name == "sgd":
        optimizer = keras.optimizers.SGD(rate, momentum)
    else:
        optimizer = keras.optimizers.Adam(rate)
    model.compile(optimizer, "sparse_categorical_crossentropy")
    return model
    ### END SOLUTION

def look_at(values, limits):
    """Given, for the checks: what your function declares, and its model for these values."""
    return described(build_digits, values, *limits)

# %% try="space"
values = {"layers": 2, "units": 16, "rate": 0.01, "optimizer": "sgd", "momentum": 0.5}
try:
    found = look_at(values, [8, 64, 0.001, 0.1])
    for entry in found.pop("space")["space"]:
        print(entry["class_name"], entry["config"])
    print(found)
except NotImplementedError as error:
    print(error)

# %% check="space-values" points=2 title="layers, units and optimizer take the values of the table"
import keras_tuner

values = {"layers": 1, "units": 8, "rate": 0.01, "optimizer": "adam", "momentum": None}
found = look_at(values, [8, 64, 0.001, 0.1])
entries = {
    entry.name: entry for entry in keras_tuner.HyperParameters.from_config(found["space"]).space
}
told = Told(
    asked="the space for the limits 8, 64, 0.001, 0.1",
    got=f"the names {sorted(entries)}",
    expected="layers [1, 2, 3]; units [8, 16, 32, 64]; optimizer ['adam', 'sgd']",
    reread="section 2, A space to search in",
)
assert set(entries) - {"momentum"} == {"layers", "units", "rate", "optimizer"}, told(
    "a hyperparameter is missing or has another name"
)
values = {name: sorted(entries[name].values) for name in ("layers", "units", "optimizer")}
values["units"] = [int(size) for size in values["units"]]
told.got = "; ".join(
    f"{name} {some if len(some) < 9 else f'{len(some)} values'}" for name, some in values.items()
)
assert len(values["units"]) < 9, told(
    "units takes each whole number; it should double: step=2, sampling='log'"
)
assert values["units"] != [8, 16, 32], told("the largest number of units belongs to the space")
assert values["layers"] == [1, 2, 3], told("layers does not take the values of the table")
assert values["optimizer"] == ["adam", "sgd"], told(
    "optimizer does not take the values of the table"
)
assert values["units"] == [8, 16, 32, 64], told()

# %% check="space-rate" points=1 title="rate is on a log scale"
import keras_tuner

values = {"layers": 1, "units": 8, "rate": 0.01, "optimizer": "adam", "momentum": None}
found = look_at(values, [8, 64, 0.001, 0.1])
entries = {
    entry.name: entry for entry in keras_tuner.HyperParameters.from_config(found["space"]).space
}
told = Told(
    asked="the start, the middle and the end of rate, for the limits 8, 64, 0.001, 0.1",
    got=sorted(entries),
    expected=[0.001, 0.01, 0.1],
    reread="section 2, A space to search in",
)
assert "rate" in entries, told("there is no hyperparameter of this name")
told.got = f"a {type(entries['rate']).__name__}"
assert type(entries["rate"]).__name__ == "Float", told(
    "rate may be any number of its range: it is a Float"
)
told.got = [round(float(entries["rate"].prob_to_value(u)), 6) for u in (0.0, 0.5, 1 - 1e-9)]
assert told.got[1] != 0.0505, told("the scale is linear: nine of ten trials would be above 0.01")
assert told.got[0] > 0, told("this declares the logarithm of the rate, not the rate")
assert told.got == [0.001, 0.01, 0.1], told()

# %% check="space-condition" points=2 title="momentum exists with sgd, and only with sgd"
import keras_tuner

values = {"layers": 1, "units": 8, "rate": 0.01, "optimizer": "sgd", "momentum": 0.5}
found = look_at(values, [8, 64, 0.001, 0.1])
hp = keras_tuner.HyperParameters.from_config(found["space"])
entries = {entry.name: entry for entry in hp.space}
told = Told(
    asked="is momentum active?",
    got=sorted(entries),
    expected="with sgd True, with adam False",
    reread="section 2, A space to search in",
)
assert {"momentum", "optimizer"} <= set(entries), told(
    "momentum or optimizer is missing: was it declared only when a Python `if` held?"
)
active = {}
for optimizer in ("sgd", "adam"):
    hp.values = {**values, "optimizer": optimizer}
    active[optimizer] = hp.is_active(entries["momentum"])
told.got = f"with sgd {active['sgd']}, with adam {active['adam']}"
assert active != {"sgd": True, "adam": True}, told(
    "momentum has no condition: trials with adam would vary it"
)
assert active != {"sgd": False, "adam": True}, told("the condition names the wrong optimizer")
assert active == {"sgd": True, "adam": False}, told()
others = [
    name
    for name in ("layers", "units", "rate")
    if name in entries and not hp.is_active(entries[name])
]
told.got = f"not active with adam: {others}"
assert not others, told("more than momentum is inside the condition")

# %% hidden="space-other" points=1 title="Other limits, and the range of momentum"
import keras_tuner

smallest = draw.choice([2, 4, 16])
limits = [smallest, smallest * 2 ** draw.choice([4, 6]), 0.0004, 0.9]
values = {"layers": 1, "units": smallest, "rate": 0.01, "optimizer": "sgd", "momentum": 0.5}
found = look_at(values, limits)
entries = {
    entry.name: entry for entry in keras_tuner.HyperParameters.from_config(found["space"]).space
}
units, size = [], smallest
while size <= limits[1]:
    units.append(size)
    size *= 2
told = Told(
    asked=f"the space for the limits {limits}",
    got=sorted(entries),
    expected=f"units {units}, rate from 0.0004 to 0.9, momentum from 0 to 0.9 with the middle 0.45",
    reread="the text of exercise 1",
)
assert {"units", "rate", "momentum"} <= set(entries), told("units, rate or momentum is missing")
ends = {
    name: [round(float(entries[name].prob_to_value(u)), 4) for u in (0.0, 0.5, 1 - 1e-9)]
    for name in ("rate", "momentum")
}
sizes = sorted(map(int, entries["units"].values))[:9]
told.got = f"units {sizes}; rate, momentum from, middle, to: {ends}"
assert sorted(entries["units"].values) != [8, 16, 32, 64], told(
    "the units of the example are written out"
)
assert ends["rate"][0] != 0.001 and ends["rate"][2] != 0.1, told(
    "the rates of the example are written out"
)
assert ends["momentum"] == [0.0, 0.45, 0.9], told(
    "momentum takes other values than any number from 0 to 0.9, evenly"
)
assert sorted(entries["units"].values) == units, told()
assert ends["rate"][::2] == [0.0004, 0.9], told()

# %% hidden="space-model" points=2 title="The model has the trial's values"
for optimizer in ("sgd", "adam"):
    values = {
        "layers": draw.choice([2, 3]),
        "units": draw.choice([16, 32]),
        "rate": draw.choice([0.03, 0.07]),
        "optimizer": optimizer,
        "momentum": {"sgd": 0.6, "adam": None}[optimizer],
    }
    found = look_at(values, [8, 64, 0.001, 0.1])
    told = Told(
        asked=f"the model for {values}",
        got={key: found[key] for key in found if key != "space"},
        expected=f"{values['layers']} times {values['units']} (relu), 10 (softmax); {optimizer}",
        reread="the text of exercise 1",
    )
    hidden_layers = [[values["units"], "relu"]] * values["layers"]
    assert found["inputs"] in ([64], None), told("the model takes other inputs than 64 numbers")
    others = [kind for kind, activation in found["layers"] if activation is None]
    assert not others, told(f"the model has layers other than Dense: {', '.join(map(str, others))}")
    assert len(found["layers"]) == values["layers"] + 1, told(
        "the number of Dense layers is layers and one more"
    )
    assert found["layers"][-1] == [10, "softmax"], told("the last layer has 10 units and softmax")
    assert found["layers"][:-1] == hidden_layers, told(
        "a hidden layer has other units or another activation"
    )
    assert found["optimizer"].lower() == optimizer, told(
        "the model has another optimizer than the trial"
    )
    assert abs(found["rate"] - values["rate"]) < 1e-6, told(
        "the optimizer does not get the trial's rate"
    )
    if optimizer == "sgd":
        assert abs(found["momentum"] - 0.6) < 1e-6, told("SGD does not get the trial's momentum")
    assert found["loss"] == "sparse_categorical_crossentropy", told("the loss is another one")

# %% [markdown]
# ## 3 The search
#
# The **tuner** repeats a loop: ask the *oracle* for a trial, train, report the score. Oracles differ in how they choose the
# next trial:
#
# | way | next trial | in KerasTuner |
# | --- | --- | --- |
# | grid | every combination, one after the other | `GridSearch` |
# | random | drawn from the space | `RandomSearch` |
# | Bayesian | where a smooth curve through the scores so far (a Gaussian process) is low or still uncertain | `BayesianOptimization` |
# | genetic | the best ones, mixed and changed a little | none; [Optuna](https://optuna.readthedocs.io/en/stable/reference/samplers/index.html) has such samplers |
# | early stopping of trials | many short trainings; only the best go on (section 5) | `Hyperband` |
#
# A search needs three more things:
#
# * an **objective**: the number to compare, with its **direction**, `"min"` or `"max"`. Always write the direction.
# * **early stopping** of a training whose validation loss no longer falls;
# * a **directory**, into which the tuner writes everything.
#
# KerasTuner also has **premade spaces**, whole model families with their ranges, in
# [`keras_tuner.applications`](https://keras.io/keras_tuner/api/hypermodels/): `HyperResNet`, `HyperXception`, `HyperEfficientNet`,
# `HyperImageAugment`. They show what experienced people vary.
#
# Search is automation, not magic. It finds *micro* decisions: units, rates, dropout. The *macro* decisions are yours: which data,
# which kind of model, which objective. AutoML tools search for some of those too, and cost accordingly.

# %% grading="skip"
class ToldTuner(kt.BayesianOptimization):
    """Says one line at the end of each trial."""

    def on_trial_end(self, trial):
        super().on_trial_end(trial)
        values = trial.hyperparameters.values
        print(f"trial {trial.trial_id}: {values}, score {trial.score:.3f}")

# %% grading="skip"
import tempfile

folder = tempfile.TemporaryDirectory()

def make_tuner(model, trials, project):
    """A Bayesian search for the lowest validation loss; its directory is folder/project."""
    objective = kt.Objective("val_loss", "min")
    options = {"num_initial_points": 3, "seed": 5, "directory": folder.name}
    return ToldTuner(model, objective, max_trials=trials, project_name=project, **options)

early = keras.callbacks.EarlyStopping("val_loss", patience=2)
fit_options = {"validation_data": validation, "validation_batch_size": 300, "epochs": 5,
               "batch_size": 50}

# %% grading="skip"
import threadpoolctl

threadpoolctl.threadpool_limits(1)      # many processes on one machine: one thread each
keras.utils.set_random_seed(0)
tuner = make_tuner(build, 2, "here")
tuner.search(*train, callbacks=[early], verbose=0, **fit_options)

# %% [markdown]
# ## 4 Resume
#
# The power fails, or you want more trials. Make a **new** tuner on the **same** directory, with a larger `max_trials`.

# %% grading="skip"
before = len(tuner.oracle.trials)
tuner = make_tuner(build, 4, "here")
tuner.search(*train, callbacks=[early], verbose=0, **fit_options)
print("trials that it trained:", len(tuner.oracle.trials) - before)

# %% [markdown]
# `max_trials` counts all trials of the directory, old ones too. The directory holds, in plain JSON, everything that the oracle knows, its random state included; and of each trial the weights
# of its best epoch. That is also a trap: change the model function, forget the directory, and you go on with *old* trials (section
# 14 shows it). `overwrite=True` begins anew.
#
# ## 5 Stop the bad ones early
#
# Most settings are bad, and most bad settings look bad after one epoch. **Successive halving** uses that: train many settings a
# little; let the best third go on; repeat. **Hyperband** runs it several times, from "very many, very short" to "few, full length",
# because some good settings start slowly. **ASHA** is the form for many workers: it lets a trial go on as soon as it is in the best third of
# those *that have come as far*, so that no worker waits for the slowest trial of a round.
#
# Is it better than random search **at equal cost**? To answer that you need many searches, so make a table first: 150 settings,
# 27 epochs each. Networks as small as these need not even have a device each. They fit into *one* op: a stack of matrices,
# multiplied by a stack of matrices.

# %% include="many_networks.py" shown=True

# %% grading="skip"
table = loss_table(train, validation)
print("settings and epochs:", table.shape, "| lowest loss:", round(float(table[:, -1].min()), 3))

# %% [markdown]
# Now a search costs nothing, and you can repeat it a thousand times. Both ways get 81
# epochs: random search trains 3 settings for 27 epochs; halving starts with 27 settings.

# %% grading="skip"
def random_search(table, tried):
    """The best of 3 settings, each trained for 27 epochs."""
    few = tried[:3]
    return few[table[few, 26].argmin()]

def successive_halving(table, tried):
    """27 settings train 1 epoch, 9 go on to epoch 3, 3 to 9, 1 to 27: 27 + 18 + 18 + 18 epochs."""
    alive = tried
    for epochs in (1, 3, 9):
        order = table[alive, epochs - 1].argsort()
        alive = alive[order[:len(alive) // 3]]
    return alive[0]

# %% predict="halving"
# Predict: in how many of 100 searches does halving find a better setting than random search?
halving_wins = ...

# %% grading="skip"
def compare_searches(table, searches=1000, seed=1):
    """Final losses [searches, 2] of random search and of halving."""
    luck = np.random.default_rng(seed)
    found = []
    for _ in range(searches):
        tried = luck.choice(len(table), 27, replace=False)
        best = [random_search(table, tried), successive_halving(table, tried)]
        found.append(table[best, 26])
    return np.array(found)

both = compare_searches(table)
wins, ties = (both[:, 1] < both[:, 0]).mean(), (both[:, 1] == both[:, 0]).mean()
print("median loss: random search {:.3f}, halving {:.3f}".format(*np.median(both, axis=0)))
print(f"halving is better in {wins:.0%}, the same in {ties:.0%} of {len(both)} searches")
compare_prediction("of 100 searches, halving is better in", halving_wins, round(100 * wins),
                   "At equal cost it looks at nine times as many settings.")

# %% grading="skip"
draw_halving(table, np.random.default_rng(3).choice(len(table), 27, replace=False))

# %% [markdown]
# The danger is in the picture, too: whoever starts slowly is stopped, even if it would have won. A low learning rate looks bad after one
# epoch. So give the first round enough epochs to tell something.
#
# In KerasTuner this is `kt.Hyperband(build, objective, max_epochs=27, factor=3)`. Two other tools are widely used:
#
# | tool | known for |
# | --- | --- |
# | [Optuna](https://optuna.readthedocs.io/en/stable/reference/pruners.html) | any Python function; `HyperbandPruner`, `SuccessiveHalvingPruner` (ASHA); workers meet in a database |
# | [Ray Tune](https://docs.ray.io/en/latest/tune/api/schedulers.html) | trials over a whole cluster of machines; `ASHAScheduler`, population based training |

# %% [markdown] exercise="halving"
# ### Exercise 2 · Successive halving with networks that go on
#
# Write `halving(settings, train, validation, epochs, factor, executions)`. Keras, `GradientTape`, anything will do.
#
# * `settings` is a list such as `[{"units": 8, "rate": 0.5}, …]`. `train` and `validation` are pairs: an array of rows `[n, 64]` and
#   one of labels `[n]`.
# * A network is `softmax(relu(x · w1) · w2)`, without biases; its first weights are `first_values(units, seed)` (from the first cell of section 5). Each setting is trained
#   `executions` times, with the seeds 0, 1, 2, … {#1}
# * One epoch is one step of plain gradient descent on **all** training rows at once, with the setting's rate; the loss is the mean
#   cross-entropy {#2}.
# * In the first round, every network trains for `epochs` epochs. A setting's score is the **mean** of its executions' losses on the
#   validation rows {#3}. A score that is no finite number counts, and is returned, as `inf` {#4}.
# * The best go on: the number of settings divided by `factor`, rounded down {#5}, but at least one {#6}. Of equal scores, the one
#   that comes first in `settings` is better {#7}.
# * In the next round the networks that go on train **further, from where they are**, until they have had `factor` times as many epochs
#   altogether as in the round before {#8}. And so on.
# * When only one setting goes on, the search ends; it is not trained further {#9}. With one setting in the list there is
#   no round at all: nothing is trained.
#
# Return `{"best": its index in settings, "rounds": [{index: score}, …], "epochs": n}`: for each round the scores of the settings that took
# part, and the number of epochs that all networks together were trained {#10}.
#
# Example: 4 settings, `epochs=1`, `factor=2`, `executions=1`. Round one: 4 networks, 1 epoch each. Round two: 2 networks, 1 epoch more.
# So `epochs` is 6, and `rounds` has two dicts, with four scores and with two.

# %% solution="halving" kind="today"
def halving(settings, train, validation, epochs, factor, executions):
    """Search by successive halving; each setting is trained several times.

    Args:
        settings: list of {"units": int, "rate": float}, at least one.
        train, validation: (float32 array [n, 64], int array [n]).
        epochs: int, of the first round.
        factor: int, at least 2.
        executions: int, how often each setting is trained.
    Returns:
        dict: best (int), rounds (list of {int: float}), epochs (int).
    """
    ### BEGIN SOLUTION
    networks = {}
    for i, setting in enumerate(settings):
        first = [first_values(setting["units"], seed) for seed in range(executions)]
        networks[i] = [[tf.Variable(w) for w in weights] for weights in first]

    def loss_of(weights, rows, labels):
        logits = tf.nn.relu(rows @ weights[0]) @ weights[1]
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))

    def score_after(i, more):
        losses = []
        for weights in networks[i]:
            for _ in range(more):
                with tf.GradientTape() as tape:
                    loss = loss_of(weights, *train)
                for w, gradient in zip(weights, tape.gradient(loss, weights)):
                    w.assign_sub(settings[i]["rate"] * gradient)
            losses.append(float(loss_of(weights, *validation)))
        score = float(np.mean(losses))
        return score if np.isfinite(score) else float("inf")

    alive, rounds, spent, reached, goal = list(networks), [], 0, 0, epochs
    while len(alive) > 1:
        scores = {i: score_after(i, goal - reached) for i in alive}
        spent += len(alive) * executions * (goal - reached)
        rounds.append(scores)
        ranked = sorted(alive, key=lambda i: (scores[i], i))
        alive = ranked[:max(len(alive) // factor, 1)]
        reached, goal = goal, goal * factor
    return {"best": alive[0], "rounds": rounds, "epochs": spent}
    ### END SOLUTION

# %% try="halving"
four = [{"units": 8, "rate": rate} for rate in (0.01, 0.1, 0.5, 50.0)]
try:
    print(halving(four, train, validation, 1, 2, 1))
    print(halving(four, train, validation, 5, 2, 3))
except NotImplementedError as error:
    print(error)

# %% check="halving-rounds" points=2 title="The right settings go on, the right number of them"
import numpy as np

luck = np.random.default_rng(5)
rows = luck.random((60, 64)).astype("float32") - 0.5
labels = (rows @ luck.normal(size=(64, 10))).argmax(1)
six = [{"units": 8, "rate": rate} for rate in (0.001, 0.2, 0.01, 0.5, 0.1, 50.0)]
got = halving(six, (rows[:40], labels[:40]), (rows[40:], labels[40:]), 2, 2, 1)
told = Told(
    asked="six settings, two epochs, factor 2, one execution: who takes part in each round",
    got=got,
    expected="rounds [[0, 1, 2, 3, 4, 5], [1, 3, 4]], best 3",
    reread="section 5, Stop the bad ones early",
)
assert isinstance(got, dict) and {"best", "rounds", "epochs"} <= set(got), told(
    "it is no dict with best, rounds, epochs"
)
rounds = [sorted(scores) for scores in got["rounds"]]
told.got = f"rounds {rounds}, best {got['best']}"
assert rounds[:1] == [[0, 1, 2, 3, 4, 5]], told("every setting takes part in the first round")
assert len(rounds) < 2 or rounds[1] != [0, 2, 5], told(
    "the settings with the largest losses go on"
)
assert len(rounds) != 3 or len(rounds[2]) != 1, told(
    "only one setting is left, and it is trained further"
)
assert len(rounds) != 3 or len(rounds[2]) != 2, told("of three settings, one goes on: round down")
assert rounds == [[0, 1, 2, 3, 4, 5], [1, 3, 4]], told()
assert got["best"] == 3, told()

# %% check="halving-scores" points=2 title="Scores are means over the executions"
import numpy as np

luck = np.random.default_rng(5)
rows = luck.random((60, 64)).astype("float32") - 0.5
labels = (rows @ luck.normal(size=(64, 10))).argmax(1)
two = [{"units": 8, "rate": 0.5}, {"units": 6, "rate": 0.2}]
got = halving(two, (rows[:40], labels[:40]), (rows[40:], labels[40:]), 3, 2, 2)
told = Told(
    asked="two settings, three epochs, two executions: the scores of the first round",
    got=got,
    expected=[2.23469, 2.41544],
    reread="the text of exercise 2",
)
assert isinstance(got, dict) and got.get("rounds"), told("it is no dict with rounds")
told.got = [got["rounds"][0].get(0), got["rounds"][0].get(1)]
assert all(isinstance(score, float | np.floating) for score in told.got), told(
    f"a round is a dict {{index: score}}, a float each; not {[type(x).__name__ for x in told.got]}"
)
mistakes = {
    "this is the loss of the first execution alone, not the mean of both": [2.17586, 2.47384],
    "this is the sum of the executions' losses, not their mean": [4.46938, 4.83089],
    "these are losses on the training rows": [2.19417, 2.34377],
    "this is the smaller loss of the executions, not their mean": [2.17586, 2.35705],
    "the seeds begin at 1; the first one is 0": [2.35388, 2.37133],
}
for words, scores in mistakes.items():
    assert not np.allclose(told.got, scores, atol=2e-4), told(words)
assert np.allclose(told.got, told.expected, atol=2e-4), told()

# %% check="halving-cost" points=1 title="The epochs of all networks are counted"
import numpy as np

luck = np.random.default_rng(7)
rows, labels = luck.random((30, 64)).astype("float32"), luck.integers(0, 10, 30)
four = [{"units": 4, "rate": rate} for rate in (0.01, 0.2, 0.05, 0.3)]
got = halving(four, (rows[:20], labels[:20]), (rows[20:], labels[20:]), 2, 2, 3)
told = Told(
    asked="four settings, two epochs, factor 2, three executions: epochs",
    got=got,
    expected="36: 4 settings · 3 networks · 2 epochs, then 2 · 3 · 2 more",
    reread="the text of exercise 2",
)
assert isinstance(got, dict) and "epochs" in got, told("it is no dict with epochs")
told.got = got["epochs"]
assert told.got != 12, told(
    "each setting is trained three times: three networks, each with its epochs"
)
assert len(got.get("rounds", ())) < 3, told("when one setting is left, it is trained further")
assert told.got != 48, told("networks that go on have had 2 of their 4 epochs already")
assert told.got == 36, told()

# %% hidden="halving-drawn" points=3 title="Other settings, factors and executions"
import numpy as np

for count, factor, executions in ((2, 2, 2), (7, 3, 1), (8, 2, 1)):
    for _ in range(10):  # until, at each cut, two losses differ by more than a dtype's rounding
        luck = np.random.default_rng(draw.randrange(10**6))
        rows = luck.random((60, 64)).astype("float32") - 0.5
        labels = (rows @ luck.normal(size=(64, 10))).argmax(1)
        rates = draw.sample([0.0004, 0.003, 0.02, 0.06, 0.13, 0.25, 0.4, 0.55], count)
        settings = [{"units": draw.choice([4, 7]), "rate": rate} for rate in rates]
        given = (
            settings,
            (rows[:40], labels[:40]),
            (rows[40:], labels[40:]),
            draw.choice([1, 2]),
            factor,
            executions,
        )
        right = reference.halving(*given)
        ranked = [sorted(scores.values()) for scores in right["rounds"]]
        cuts = [max(len(scores) // factor, 1) for scores in ranked]
        if all(scores[cut] - scores[cut - 1] > 1e-4 for scores, cut in zip(ranked, cuts)):
            break
    got = halving(*given)
    told = Told(
        asked=f"{settings}, epochs {given[3]}, factor {factor}, executions {executions}",
        got=got,
        expected=right,
        reread="the text of exercise 2",
    )
    assert isinstance(got, dict) and {"best", "rounds", "epochs"} <= set(got), told(
        "it is no dict with these keys"
    )
    assert [sorted(scores) for scores in got["rounds"]] == [
        sorted(scores) for scores in right["rounds"]
    ], told()
    for mine, wanted in zip(got["rounds"], right["rounds"]):
        assert all(abs(mine[i] - wanted[i]) < 5e-4 for i in wanted), told()
    assert got["best"] == right["best"] and got["epochs"] == right["epochs"], told()

# %% hidden="halving-edges" points=2 title="Equal scores, scores that are no number, few settings"
import numpy as np

luck = np.random.default_rng(draw.randrange(10**6))
rows = luck.random((40, 64)).astype("float32") - 0.5
labels = (rows @ luck.normal(size=(64, 10))).argmax(1)
data = (rows, labels), (rows, labels)
good = {"units": 5, "rate": draw.choice([0.1, 0.2])}
first = draw.randrange(2)  # where the good one stands; in the other questions at the other place
low = [{"units": 5, "rate": 0.0001}]
settings = low * first + [good, good] + low * (1 - first)
told = Told(
    asked=f"rates {[setting['rate'] for setting in settings]}",
    got=None,
    expected=f"best {first}",
    reread="the text of exercise 2",
)
told.got = halving(settings, *data, 4, 3, 1)
assert isinstance(told.got, dict) and told.got.get("best") != first + 1, told(
    "of equal scores, the first one is better"
)
assert told.got["best"] == first, told()
slow = 2 * (1 - first)  # it hardly learns: its loss is that of its first weights
right = reference.halving(settings, *data, 4, 3, 1)["rounds"][0][slow]
told.expected = f"best {first}, and the score {right:.3f} for the rate 0.0001"
scores = (told.got.get("rounds") or [{}])[0]
assert abs(scores.get(slow, -1.0) - right) < 0.02, told("the best one is right, the scores are not")
wild = [{"units": 5, "rate": float("inf")}]  # no number comes of it in any dtype
settings = wild * (1 - first) + [good] + wild * first
told.asked = f"rates {[setting['rate'] for setting in settings]}"
told.expected = f"scores inf and a number; best {1 - first}"
told.got = halving(settings, *data, 3, 2, 1)
assert isinstance(told.got, dict) and told.got.get("rounds"), told("there is no round")
scores = told.got["rounds"][0]
assert scores.get(first) == float("inf"), told("a score that is no finite number is returned as inf")
assert told.got["best"] == 1 - first, told()
assert scores.get(1 - first, float("inf")) < float("inf"), told("the score of the good one is no number")
one = np.where(np.arange(64) == 24, np.float32("inf"), np.float32(0)) + 0 * rows, labels
settings = low * (1 - first) + [{"units": 1, "rate": 0.0002}] + low * first
told.asked = f"two executions of {settings}; column 24 of the validation rows is inf"
told.expected = f"for setting {1 - first} the score inf: seed 1's unit gives 0 there, seed 0's inf"
told.got = halving(settings, data[0], one, 3, 2, 2)
assert isinstance(told.got, dict) and told.got.get("rounds"), told("there is no round")
score = told.got["rounds"][0].get(1 - first, -1.0)
assert not abs(score - np.log(10)) < 1e-4, told(
    "one of its two losses is no finite number: so is the mean"
)
assert score == float("inf"), told()
settings = low * (1 - first) + [good] + low * first
told.asked, told.expected = "two settings, factor 3", f"one round, then one goes on; best {1 - first}"
told.got = halving(settings, *data, 4, 3, 1)
assert isinstance(told.got, dict) and told.got.get("best") == 1 - first, told(
    "of two settings, a third is none; one goes on"
)
assert len(told.got["rounds"]) == 1, told()
told.asked, told.expected = "one setting", "best 0, no rounds, 0 epochs"
told.got = halving([good], *data, 4, 2, 2)
assert told.got == {"best": 0, "rounds": [], "epochs": 0}, told(
    "with one setting there is nothing to choose"
)

# %% [markdown]
# ## 6 A chief and two workers
#
# Now in parallel. **One chief** holds the oracle and trains nothing. **Workers** ask it for trials over gRPC. All run *the same
# program*; three environment variables say who is who
# ([guide](https://keras.io/keras_tuner/guides/distributed_tuning/)):
#
# | variable | chief | worker |
# | --- | --- | --- |
# | `KERASTUNER_TUNER_ID` | a name with `chief` in it | any other name, each its own |
# | `KERASTUNER_ORACLE_IP` | the address where the chief listens | the same |
# | `KERASTUNER_ORACLE_PORT` | its port | the same |
#
# A process needs a *file* with your code. This one has a `HyperModel`: a class whose `fit` can have hyperparameters too, here
# the batch size. `LocalCluster` (from lesson 06) starts the processes; the workers wait until the chief listens.

# %% grading="skip"
%%writefile digits_search.py
import keras
import keras_tuner as kt

class DigitsModel(kt.HyperModel):
    def build(self, hp):
        units = hp.Int("units", 8, 128, step=2, sampling="log")
        rate = hp.Float("rate", 1e-4, 1e-1, sampling="log")
        hidden, last = keras.layers.Dense(units, "relu"), keras.layers.Dense(10, "softmax")
        model = keras.Sequential([keras.Input([64]), hidden, last])
        model.compile(keras.optimizers.Adam(rate), "sparse_categorical_crossentropy")
        return model

    def fit(self, hp, model, *data, **options):
        return model.fit(*data, batch_size=hp.Choice("batch", [25, 50]), **options)

# %% grading="skip"
%%writefile -a digits_search.py

def run_search(folder):
    import numpy as np, sklearn.datasets, threadpoolctl
    threadpoolctl.threadpool_limits(1)
    data = sklearn.datasets.load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    x, y = (data.data[order] / 16).astype("float32"), data.target[order]
    objective = kt.Objective("val_loss", "min")
    options = {"num_initial_points": 3, "directory": folder, "project_name": "shared"}
    tuner = kt.BayesianOptimization(DigitsModel(), objective, max_trials=6, seed=1, **options)
    tuner.search(x[:500], y[:500], validation_data=(x[500:800], y[500:800]), epochs=6, verbose=0)

if __name__ == "__main__":
    import sys
    run_search(sys.argv[-1])

# %% grading="skip"
import pathlib

program = pathlib.Path("digits_search.py").read_text()
jobs = {"chief": 1, "tuner": 2}
search = LocalCluster(jobs, program, flags=[folder.name], start=[], name="search")
address, port = search.address["chief/0"].split(":")
search.env.update(KERASTUNER_ORACLE_IP=address, KERASTUNER_ORACLE_PORT=port)

def start_role(task):
    search.start(task, env={"KERASTUNER_TUNER_ID": task.replace("/", "")}, wait=False)

for task in search.tasks:
    start_role(task)
print(search.tasks)

# %% grading="skip"
project = f"{folder.name}/shared"

def tuner1_just_began(trials, ongoing):
    return len(trials) > 2 and ongoing.get("tuner1") == max(trials) or len(trials) == 6

watch_search(project, until=tuner1_just_began)
search.kill("tuner/1")                          # an accident
records, ongoing = read_search(project)
print("killed tuner1; the chief's list of ongoing trials:", ongoing)

# %% predict="dead-worker"
# Predict: tuner0 goes on alone. The status of tuner1's trial at the end?
# "COMPLETED", "FAILED" or "RUNNING"
status_at_the_end = "..."

# %% grading="skip"
def has_ended(task):
    return search.alive()[task].startswith("ended")

lost = ongoing.get("tuner1")
records, ongoing = watch_search(project, until=lambda *_: has_ended("tuner/0"))
print("ongoing:", ongoing, "|", search.alive())
if lost:
    compare_prediction(f"status of trial {lost}", status_at_the_end, records[lost]["status"],
                       "The chief has no heartbeat: it does not know that the worker is dead.")

# %% [markdown]
# Remember this state, for you will meet it. `tuner0` has done all other trials and has ended. One trial is `RUNNING`, and its owner is
# a process that no longer exists. The chief waits for ever. Nothing is printed and nothing fails. Only `ongoing`, next to the list
# of live processes, shows the fault.
#
# The way out: start a worker **with the same `KERASTUNER_TUNER_ID`**. The chief looks that name up and hands out the same
# trial again.

# %% grading="skip"
start_role("tuner/1")
records, ongoing = watch_search(project, until=lambda *_: has_ended("tuner/1"))
print({number: trial["status"] for number, trial in records.items()})
search.close()                                  # ends the chief, too: all is on disk
draw_trials(records)

# %% [markdown]
# No trial is lost. The left picture has the score of each trial, and the best so far. The right one shows that with too
# low a learning rate six epochs are not enough.
#
# *GPU extra.* With several cards, put `CUDA_VISIBLE_DEVICES` into the environment of each worker, next to its ID: `0` for one,
# `1` for the other (lesson 02). The chief trains nothing; give it an empty mask.
#
# ## 7 One worker against two
#
# How much time does the second worker save? Measure it, with workers that need no seconds to import
# TensorFlow: their program is plain Python and NumPy. `trial_workers()` (a helper)
# gives `start_worker`, and a second function, which counts for the checks. `start_worker()` starts a process and returns
# a worker; `worker.evaluate(trial)` waits for the trial's loss.

# %% grading="skip"
def seconds_with(workers, trials):
    """How long these trials take, each in a new process; and their losses."""
    start = time.monotonic()
    with trial_workers() as (start_worker, _), ThreadPoolExecutor(workers) as pool:
        losses = list(pool.map(lambda trial: start_worker().evaluate(trial), trials))
    return time.monotonic() - start, losses

# %% grading="skip"
trials = [{"id": f"t{i}", "rate": 0.2 * (i + 1), "seed": i, "steps": 1500} for i in range(6)]
seconds_of_one, losses = seconds_with(1, trials)
seconds_of_two, losses_of_two = seconds_with(2, trials)
print(f"one worker {seconds_of_one:.1f} s, two workers {seconds_of_two:.1f} s")
print("the same losses:", losses == losses_of_two)

# %% [markdown]
# With two free cores, two workers need about half the time; where other work needs the cores, more. With n workers on n free devices, random search is nearly n times as fast: trials need nothing from each other. Two things cost:
#
# * **the end**: the last trials run alone, while other workers have nothing to do. Start the long trials first;
# * **wisdom**: a Bayesian oracle has to propose a trial while others still run, so it knows fewer scores. (KerasTuner pretends a score for those, a
#   little worse than expected, so that two workers do not get the same trial.) *More trials per hour, a little less wisdom per trial.*

# %% [markdown] exercise="fleet"
# ### Exercise 3 · A search that loses nothing
#
# Write `parallel_search(trials, workers, start_worker)`. It trains all trials on worker processes.
#
# * `trials` is a list of dicts such as `{"id": "t0", "rate": 0.5, "seed": 1, "steps": 20}`.
# * `start_worker()` starts a process and returns a worker. `worker.evaluate(trial)` **waits** until the process has trained it, and returns its
#   validation loss. A worker can do one trial after another. `worker.close()` ends the process.
# * Begin the trials in the order of the list {#1}. At most `workers` processes run at the same time {#2}; and `workers` of them do (or
#   one for each trial, if there are fewer trials) {#3}. **Whoever is free takes the next trial** {#4}.
# * A worker may die: then `evaluate` raises `WorkerDied`. Close that worker, start another in its place {#5}, and try the trial again, at
#   once or later {#6}. But a trial that has killed **two** workers is given up: its loss is `None` {#7}, and nobody tries it a third time {#8}.
# * At the end no worker is open {#9}.
#
# It returns `{"best": the id of the smallest loss {#10}, or None if there is none {#11}, "losses": {id: loss}}`, with all trials in `losses` {#12}.
#
# Example: six trials, two workers, and `t2` kills the first worker that tries it. The result has six losses, and the best is `t5`: see the
# try cell.

# %% solution="fleet" kind="process"
import queue
import threading

def parallel_search(trials, workers, start_worker):
    """Evaluate all trials on worker processes, whatever becomes of the workers.

    Args:
        trials: list of {"id": str, "rate": float, "seed": int, "steps": int}.
        workers: int, how many processes may run at the same time.
        start_worker: function without arguments that starts a process and returns a worker.
    Returns:
        dict: best (str or None), losses ({id: float or None}).
    """
    ### BEGIN SOLUTION
    waiting = queue.Queue()
    losses = {}
    for trial in trials:
        waiting.put(trial)

    def drive():
        worker = start_worker()
        try:
            while True:
                trial = waiting.get_nowait()
                for _ in range(2):
                    try:
                        losses[trial["id"]] = worker.evaluate(trial)
                        break
                    except WorkerDied:
                        worker.close()
                        losses[trial["id"]] = None
                        worker = start_worker()
        except queue.Empty:
            worker.close()

    threads = [threading.Thread(target=drive) for _ in range(min(workers, len(trials)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = {name: loss for name, loss in losses.items() if loss is not None}
    return {"best": min(done, key=done.get, default=None), "losses": losses}
    ### END SOLUTION

def searched(trials, workers, kills=(), needs=()):
    """Given, for the checks: your function on real processes: [its result, what was counted]."""
    with trial_workers(kills, needs) as (start_worker, facts):
        try:
            return [parallel_search(trials, workers, start_worker), facts()]
        except WorkerDied:
            return ["WorkerDied", facts()]

# %% try="fleet"
trials = [{"id": f"t{i}", "rate": 0.1 * 2 ** i, "seed": i, "steps": 20} for i in range(6)]
try:
    result, facts = searched(trials, 2, kills={"t2": 1})
    print(result)
    print(facts)
except NotImplementedError as error:
    print(error)

# %% check="fleet-calm" points=2 title="Nobody dies: each trial has its loss, the best is the smallest"
trials = [
    {"id": f"t{i}", "rate": rate, "seed": i, "steps": 10 + i}
    for i, rate in ((3, 0.3), (1, 3.0), (4, 0.6), (0, 0.1), (2, 2.0))
]
right = {
    "t3": 1.769538,
    "t1": 0.820880,
    "t4": 1.355949,
    "t0": 2.163174,
    "t2": 0.899846,
}
got, facts = searched(trials, 1)
told = Told(
    asked="five trials, one worker, nobody dies",
    got=got,
    expected=f"best t1, losses {right}",
    reread="the text of exercise 3",
)
assert isinstance(got, dict) and {"best", "losses"} <= set(got), told(
    "the result is not a dict with best and losses"
)
assert set(got["losses"]) == set(right), told("losses has not exactly one entry for each trial")
assert all(isinstance(loss, float) for loss in got["losses"].values()), told(
    "a loss is not a number"
)
assert all(abs(got["losses"][name] - right[name]) < 1e-5 for name in right), told(
    "a loss belongs to another trial: keep each with its id"
)
assert got["best"] != max(right, key=right.get), told(
    "this is the largest loss; the smallest is the best"
)
assert got["best"] == min(right, key=right.get), told()
told.got, told.expected = facts, "most at once 1"
assert facts["most at once"] == 1, told("several processes at the same time, where workers is 1")
told.got, told.expected = (
    f"begun in the order {facts['order']}",
    [trial["id"] for trial in trials],
)
assert facts["order"] == told.expected, told(
    "the trials begin in another order than that of the list"
)
told.got, told.expected = facts, "still open 0"
assert facts["still open"] == 0, told("a worker is still open at the end")

# %% check="fleet-together" points=2 title="Three workers work at the same time, and no more"
trials = [{"id": f"t{i}", "rate": 0.5, "seed": i, "steps": 5} for i in range(6)]
got, facts = searched(trials, 3, needs={"t0": ["start", 3]})
told = Told(
    asked="six trials, three workers; t0 ends only when three trials have started",
    got=facts,
    expected="never met 0; most at once 3",
    reread="section 7, One worker against two",
)
assert isinstance(got, dict), told("the result is not a dict")
assert facts["most at once"] <= 3, told("more processes than workers at the same time")
assert facts["most at once"] != 1, told(
    "one trial after the other: evaluate waits, so each worker needs a thread"
)
assert facts["never met"] == 0, told(
    "the processes run, but three trials never do at the same time"
)
assert facts["most at once"] == 3, told()

# %% check="fleet-death" points=2 title="A worker dies, and nothing is lost"
trials = [{"id": f"t{i}", "rate": 0.3 + 0.2 * i, "seed": i, "steps": 8} for i in range(6)]
got, facts = searched(trials, 2, kills={"t3": 1})
told = Told(
    asked="six trials, two workers; t3 kills the first worker that tries it",
    got=f"{got}; {facts}",
    expected="six losses; starts 7, deaths 1, still open 0",
    reread="section 6, A chief and two workers",
)
assert got != "WorkerDied", told(
    "the death of one worker ended the whole search: WorkerDied is not caught"
)
assert isinstance(got, dict) and {"best", "losses"} <= set(got), told(
    "the result is not a dict with best and losses"
)
lost = [trial["id"] for trial in trials if trial["id"] not in got["losses"]]
assert facts["most at once"] > 1, told("one trial after the other")
assert facts["processes"] > 2, told("no worker was started in place of the dead one")
assert facts["starts"] != 6 or facts["deaths"] != 1, told("t3 was tried once only")
assert not lost, told(f"the result lacks {lost}")
assert got["losses"]["t3"] is not None, told(
    "a trial that killed one worker is not given up: it has a loss"
)
assert facts["still open"] == 0, told("a worker is still open at the end")
assert None not in got["losses"].values() and facts["starts"] == 7, told()
assert facts["most at once"] <= 2, told("more than two processes at the same time")

# %% hidden="fleet-poison" points=2 title="Trials that kill every worker"
bad = draw.choice([["t1", "t4"], ["t0", "t2"], ["t1", "t3"]])
trials = [{"id": f"t{i}", "rate": 0.3 + 0.2 * i, "seed": i, "steps": 8} for i in range(5)]
got, facts = searched(trials, 2, kills={name: 99 for name in bad})
told = Told(
    asked=f"five trials, two workers; {' and '.join(bad)} kill every worker",
    got=f"{got}, {facts}",
    expected=f"the losses of {bad} are None; deaths 4, still open 0",
    reread="the text of exercise 3",
)
assert got != "WorkerDied", told("the death of a worker ended the whole search")
assert isinstance(got, dict) and {"best", "losses"} <= set(got), told(
    "the result is not a dict with best and losses"
)
assert facts["deaths"] <= 4, told("a trial that had killed two workers was tried again")
assert facts["deaths"] == 4, told("a trial that had killed one worker was not tried again")
assert set(got["losses"]) == {"t0", "t1", "t2", "t3", "t4"}, told(
    "a trial that was given up has an entry too: None"
)
assert sorted(name for name, loss in got["losses"].items() if loss is None) == bad, told(
    "exactly the two trials that were given up have the loss None"
)
good = {name: loss for name, loss in got["losses"].items() if loss is not None}
assert got["best"] == min(good, key=good.get), told(
    "best is not the id of the smallest loss of those that have one"
)
assert facts["still open"] == 0, told("a worker is still open at the end")
assert facts["most at once"] <= 2, told("more than two processes at the same time")
got, facts = searched(trials[:1], 2, kills={"t0": 99})
told = Told(
    asked="t0 alone, which kills every worker",
    got=got,
    expected={"best": None, "losses": {"t0": None}},
    reread="the text of exercise 3",
)
assert got == told.expected, told("no trial has a loss: best is None")

# %% hidden="fleet-next" points=2 title="Whoever is free takes the next trial"
count = draw.choice([6, 7, 8])
trials = [{"id": f"t{i}", "rate": 0.5, "seed": i, "steps": 5} for i in range(count)]
got, facts = searched(trials, 2, needs={"t0": ["end", count - 1]})
told = Told(
    asked=f"{count} trials, two workers; t0 ends last",
    got=facts,
    expected=f"never met 0, most at once 2, {count} losses",
    reread="the text of exercise 3",
)
assert isinstance(got, dict) and len(got.get("losses", ())) == count, told(
    "not all trials have an entry"
)
assert facts["most at once"] <= 2, told("more than two processes at the same time")
assert facts["most at once"] != 1, told("one trial after the other")
assert facts["never met"] == 0, told(
    "a free worker waited for t0: dealt out beforehand, or in rounds"
)
assert facts["most at once"] == 2, told()
got, facts = searched(trials[:2], 5, needs={"t0": ["start", 2]})
told = Told(
    asked="two trials, five workers",
    got=facts,
    expected="never met 0, still open 0, two losses",
    reread="the text of exercise 3",
)
assert isinstance(got, dict) and len(got.get("losses", ())) == 2, told(
    "not all trials have an entry"
)
assert facts["never met"] == 0, told(
    "with more workers than trials, all trials run at the same time"
)
assert facts["still open"] == 0, told("a worker is still open at the end")
assert facts["most at once"] <= 2, told("a process for each trial is enough")

# %% [markdown]
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.
#
# ## Sitting 2 · From scores to a model
#
# ## 8 What the first weights decide
#
# Train the *same* setting forty times. Nothing differs but the seed of the first weights:

# %% predict="forty"
# Predict: on the 300 validation rows, how far apart are the best and the worst of the forty,
# in points of accuracy?
points_apart = ...

# %% grading="skip"
def accuracies(probabilities, labels):
    """In percent, one for each network."""
    return 100 * (probabilities.argmax(-1) == labels).mean(-1)

weights = first_stack(range(40), np.ones(40))
x, y = [np.broadcast_to(part, (40, *part.shape)) for part in train]
for _ in train_many(weights, np.full(40, 0.5), x, y, 30):
    pass
seen = accuracies(tf.nn.softmax(logits_of(validation[0], weights)).numpy(), validation[1])
true = accuracies(tf.nn.softmax(logits_of(test[0], weights)).numpy(), test[1])
print(f"validation: mean {seen.mean():.1f} %, standard deviation {seen.std(ddof=1):.2f} points")
print(f"test:       mean {true.mean():.1f} %, standard deviation {true.std(ddof=1):.2f} points")
compare_prediction("best minus worst", points_apart, round(float(np.ptp(seen)), 1),
                   "Forty runs of one setting: all of this is luck.")

# %% [markdown]
# So a setting that is 0.2 points better than another may be no better at all: perhaps it only had better first weights. The remedy is to train
# each setting several times and compare **means**. KerasTuner does it if you say `executions_per_trial=2`:

# %% grading="skip"
notes = []

class NotedModel(kt.HyperModel):
    def build(self, hp):
        return build(hp)

    def fit(self, hp, model, *data, **options):
        history = model.fit(*data, **{**options, "epochs": 2})
        notes.append(min(history.history["val_loss"]))
        return history

options = {"seed": 3, "directory": folder.name, "project_name": "twice"}
objective = kt.Objective("val_loss", "min")
twice = kt.RandomSearch(NotedModel(), objective, max_trials=2, executions_per_trial=2, **options)
twice.search(*train, verbose=0, **fit_options)
for trial, pair in zip(twice.oracle.trials.values(), np.reshape(notes, [2, 2])):
    print(f"executions {pair.round(3)}, mean {pair.mean():.3f}; score {trial.score:.3f}")

# %% [markdown]
# The score is the mean. The price: at equal cost you try half as many settings. The mean of n executions varies √n times less, so spend
# executions where settings are close together, for example on the last five of a search. A trap: a seed that is set *inside* the model
# function makes all executions the same one.
#
# ## 9 Overfitting the validation set
#
# Nothing was *trained* on the validation rows. But you *chose* by them, and the more you try, the more likely the winner was
# lucky. A simulation shows it best, since there we know the truth: settings whose true accuracies lie around 95 %, each measured on
# 300 validation rows.

# %% grading="skip"
draw_luck(rows=300, spread=0.0)

# %% [markdown]
# There was nothing to find, and yet the best of 200 seems three points better. The grey area is pure luck. It grows with the number of trials and shrinks with the number of rows. **Change it:** how many rows
# bring the luck of 200 trials below one point? And if settings really differ (second slider), does trying more still help?

# %% grading="skip"
choose_luck()

# %% [markdown]
# <details><summary>Picture for reading without a kernel</summary>
#
# ![The widget. Two sliders: validation rows at 300, settings differ by 0.5 points. Below, two curves over the number of settings tried, from 1 to 200: the accuracy of the best on validation climbs from 95 to over 98 percent; its true accuracy climbs only to about 95.6 percent. The grey area between them is luck.](assets/10_widget.svg)
#
# </details>
#
# If all settings are equal, it takes more than 3000 rows to bring the luck of 200 trials below one point. Where settings differ by half a point, trying more helps a little: the blue curve rises. But the other one rises faster, and it is
# the one that you see. So:
#
# * report the *test* result of one final model, never the validation score of the winner;
# * if trials are many, take more validation rows, or several splits (cross-validation);
# * do not compare two searches by their best validation scores.
#
# ## 10 From the best trial to the final model
#
# The notebook's tuner reads the directory that the three processes of section 6 left. Then there are two ways to a model.

# %% grading="skip"
import contextlib
import io
import warnings

from digits_search import DigitsModel

with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
    tuner = make_tuner(DigitsModel(), 6, "shared")              # says that it reloads
    best_model = tuner.get_best_models(1)[0]                    # warns: no Adam slots are saved
best_hp = tuner.get_best_hyperparameters(1)[0]
print(best_hp.values, "score", round(tuner.oracle.get_best_trials(1)[0].score, 3))

# %% [markdown]
# **One way**: take `best_model`. It is ready, but it has never seen the 300 validation rows.
#
# **The other way**: train anew on train *and* validation rows. Then no data are left to say when to stop. So find the **best epoch** first:
# train once more on the training rows, and look where the validation loss is lowest.

# %% grading="skip"
keras.utils.set_random_seed(1)
hypermodel = DigitsModel()
once_more = hypermodel.build(best_hp)
options = {"validation_data": validation, "validation_batch_size": 300, "epochs": 15, "verbose": 0}
history = hypermodel.fit(best_hp, once_more, *train, **options).history
best_epoch = int(np.argmin(history["val_loss"])) + 1
print(f"best epoch: {best_epoch} of 15, validation loss {min(history['val_loss']):.3f}")

# %% [markdown]
# Add 1: lists begin at index 0, and so do a trial's `best_step` and Keras's callbacks; `epochs` is a count.
#
# Then retrain on everything for **1.2 × the best epoch**, and measure on the test rows. The factor is a rule of thumb, from
# [*Deep Learning with Python*, chapter 18](https://deeplearningwithpython.io/chapters/chapter18_best-practices-for-the-real-world):
# there the rows for validation make the training data 20 % larger, so it trains a little longer, too. It is a habit, not a law.

# %% grading="skip"
final = hypermodel.build(best_hp)
everything = [np.concatenate(pair) for pair in zip(train, validation)]
hypermodel.fit(best_hp, final, *everything, epochs=round(1.2 * best_epoch), verbose=0)
for name, model in {"best model": best_model, "retrained": final}.items():
    right = model.predict(test[0], batch_size=997, verbose=0).argmax(1) == test[1]
    print(f"{name:11} test accuracy {right.mean():.3f} ± {right.std() / len(right) ** 0.5:.3f}")

# %% [markdown]
# The **standard error** behind the ± says how much the number would vary with 997 other test rows: in two of three cases less than that.
#
# | question | take the best model | retrain on all data |
# | --- | --- | --- |
# | costs | nothing | one or two more trainings |
# | has learnt from | train | train and validation: here 60 % more rows |
# | can be checked before the test | yes: its validation score is known | no: nothing is left to check it with |
# | choose it when | data are many, training is dear | data are few |
#
# ## 11 Ensembles, with an error bar
#
# A search ends with several good models. Members of an ensemble are averaged as **probabilities**. The measure is the **log loss**: minus the
# logarithm of the probability that the right class got, averaged over the rows. It punishes confident errors.
#
# To say honestly what helps, one split of the data is not enough. So cut the digits in 20 ways, and train 5 networks for each: same setting,
# other first weights. That is 100 networks, and one stack:

# %% grading="skip"
SPLITS, SEEDS = 20, 5
splits = [digits(split) for split in range(SPLITS)]

def stacked(part):
    """Rows and labels of this part of all splits, once for each network."""
    return [np.repeat([split[part][i] for split in splits], SEEDS, axis=0) for i in (0, 1)]

weights = first_stack(range(SPLITS * SEEDS), np.ones(SPLITS * SEEDS))
for _ in train_many(weights, np.full(SPLITS * SEEDS, 0.5), *stacked(0), 30):
    pass

# %% grading="skip"
nets, labels = {}, {}
for kind, part in (("validation", 1), ("test", 2)):
    found = tf.nn.softmax(logits_of(stacked(part)[0], weights)).numpy()
    nets[kind] = found.reshape(SPLITS, SEEDS, -1, 10)                 # [splits, seeds, rows, 10]
    labels[kind] = np.array([split[part][1] for split in splits])     # [splits, rows]

# %% [markdown]
# First one split, and its 997 test rows. Is the mean of five better than a single network?

# %% grading="skip"
single = losses_of(nets["test"][0, 0], labels["test"][0])
five = losses_of(nets["test"][0].mean(0), labels["test"][0])

def with_error(values):
    """Mean and standard error, as text."""
    return f"{np.mean(values):.4f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.4f}"

print("one network:  ", with_error(single))
print("mean of five: ", with_error(five))
print("gain:         ", with_error(single - five), "(row by row)")

# %% [markdown]
# The two losses have large errors, since a few rows are hard. But they are hard for both! So subtract **row by row** and then
# take mean and error: the difference has a much smaller error. That is a *paired* comparison, and the right way to compare two
# models on the same rows.
#
# Now all 20 splits. Two ways to use five trainings: *choose* the best by its validation loss, or *average* all five.

# %% predict="choose-or-average"
# Predict: which of the two gains more on the test rows: "choose" or "average"?
better_way = "..."

# %% grading="skip"
def mean_loss(kind, answers):
    """Log loss of each split, from answers [splits, rows, 10]."""
    return losses_of(answers, labels[kind]).mean(1)

alone = {}                                        # {kind: losses [seeds, splits]}
gains = {}                                        # over the average member
for kind in ("validation", "test"):
    alone[kind] = np.array([mean_loss(kind, nets[kind][:, seed]) for seed in range(SEEDS)])
    best = alone["validation"].argmin(0)         # of each split, by its validation rows
    member = alone[kind].mean(0)
    gains[kind] = {"choose": member - alone[kind][best, np.arange(SPLITS)],
                   "average": member - mean_loss(kind, nets[kind].mean(1))}

# %% grading="skip"
for way in ("choose", "average"):
    on_validation, on_test = [with_error(gains[kind][way]) for kind in ("validation", "test")]
    print(f"{way:8} validation {on_validation}   test {on_test}")
most = max(gains["test"], key=lambda way: gains["test"][way].mean())
compare_prediction("gains more on the test rows", better_way, most,
                   "Most of what choosing seems to gain is luck; what averaging gains is real.")

# %% [markdown]
# Choosing the best start *looks* better and is not: on new rows most of its gain is gone. Averaging gains the same on both, in every one of
# the 20 splits. (The splits share rows, so the true errors are somewhat larger than those behind the ±.)
#
# ## 12 Other members, and weights
#
# An average helps where members err at **different** rows. So add models of another kind: *trees*, 50 randomised decision trees, about
# as good as a network; and a *linear* model, clearly weaker. They have no gradient tape and no device, and may be members like any other.

# %% grading="skip"
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression

def tree_answers(trees, x):
    """Shares of votes are too careful as probabilities: square and scale them."""
    votes = (trees.predict_proba(x) + 0.01) ** 2
    return votes / votes.sum(1, keepdims=True)

members = {kind: [] for kind in nets}                     # {kind: [splits, member, rows, 10]}
for number, split in enumerate(splits):
    trees = ExtraTreesClassifier(50, random_state=0).fit(*split[0])
    linear = LogisticRegression(C=0.1).fit(*split[0])
    for kind, (x, _) in (("validation", split[1]), ("test", split[2])):
        others = [tree_answers(trees, x), linear.predict_proba(x)]
        members[kind].append([*nets[kind][number, :2], *others])

# %% grading="skip"
members = {kind: np.array(found) for kind, found in members.items()}
errors = 1 - np.exp(-losses_of(members["test"], labels["test"][:, None]))
for i, name in enumerate(["net 1", "net 2", "trees", "linear"]):
    alike = np.mean([np.corrcoef(part)[0, i] for part in errors])
    loss = with_error(mean_loss("test", members["test"][:, i]))
    print(f"{name:7} test loss {loss}, alike {alike:.2f}")

# %% [markdown]
# `alike` is the **correlation** of a member's errors with those of `net 1`: 1 if they err at the same rows. `net 2` is a twin of `net 1`: same
# setting, other seed. The trees are a little worse alone and err elsewhere. Which is the better partner?

# %% grading="skip"
def equal_mean(kind, *which):
    """Loss of the plain mean of these members, for each split."""
    return mean_loss(kind, members[kind][:, which].mean(1))

net_1 = equal_mean("test", 0)
print("gain of net 1 with net 2:", with_error(net_1 - equal_mean("test", 0, 1)))
print("gain of net 1 with trees:", with_error(net_1 - equal_mean("test", 0, 2)))
difference = equal_mean("test", 0, 1) - equal_mean("test", 0, 2)
print("trees rather than net 2: ", with_error(difference))
print("the trees were the better partner in", int((difference > 0).sum()), "of 20 splits")

# %% [markdown]
# On average the trees are the better partner, though alone they are the worse model: **diversity counts**. But in several splits
# the twin was better. With one split you could have "shown" either. That is why a gain is reported with its error.
#
# **Weights.** A weak member drags a plain mean along. So find weights on *validation* data: at least 0, with the sum 1. *Random search* draws many
# and keeps the best. **Nelder–Mead** needs no gradient either: it keeps a handful of points, throws away the worst, and tries its mirror image
# through the others; if that fails, it shrinks. It knows no limits, so let it move freely in scores `s` and use softmax(s) as the weights.

# %% grading="skip"
from scipy.optimize import minimize

def shares(s):
    """softmax(s): positive numbers with the sum 1."""
    return np.exp(s - s.max()) / np.exp(s - s.max()).sum()

def found_weights(answers, truth):
    """Weights of answers [members, rows, 10] with a low log loss on these rows."""
    right = np.exp(-losses_of(answers, truth))          # what each gave to the right class

    def loss(s):
        return -np.log(shares(s) @ right).mean()

    return shares(minimize(loss, np.zeros(len(right)), method="Nelder-Mead").x)

# %% grading="skip"
def gain_of_weights(which):
    """Validation and test gain of found weights over equal ones, for each split."""
    rows = zip(members["validation"][:, which], labels["validation"])
    found = [found_weights(answers, truth) for answers, truth in rows]
    gain = {}
    for kind in members:
        mixed = [np.tensordot(found[s], members[kind][s, which], 1) for s in range(SPLITS)]
        gain[kind] = equal_mean(kind, *which) - mean_loss(kind, np.array(mixed))
    return gain

three_good, one_weak = gain_of_weights([0, 1, 2]), gain_of_weights([0, 1, 2, 3])
for name, gain in (("three good members", three_good), ("a weak one, too", one_weak)):
    print(f"{name:19} validation {with_error(gain['validation'])}, test {with_error(gain['test'])}")

# %% grading="skip"
choose, average = [{kind: gains[kind][way] for kind in gains} for way in ("choose", "average")]
all_gains = {"choose the best of 5 starts": choose, "average 5 starts": average,
             "weights, 3 good members": three_good, "weights, one is weak": one_weak}
draw_gains(all_gains, "gain in log loss")

# %% [markdown]
# Found weights *always* gain on the rows that found them. On new rows they gain where a member is weak: they throw it out. Among members that
# are about equally good they gain **nothing**, or lose a little: 300 rows are too few to tell such weights apart. So: plain mean of good members; weights to
# find out who is good; and the number that you report comes from rows that decided nothing.

# %% [markdown] exercise="blend"
# ### Exercise 4 · Weights for an ensemble
#
# Write `blend(probabilities, labels)`. It finds the weights of an ensemble's members on validation data.
#
# * `probabilities` is an array `[members, rows, classes]`: what each member says on the validation rows.
# * `labels` is an array `[rows]` of right classes.
# * It returns a list of Python floats, one for each member {#1}: at least 0 {#2}, and with the sum 1 {#3}.
# * The mixture is the weighted mean of the probabilities. The weights make its **log loss** as small as they can; being within 0.003 of
#   the smallest possible is enough {#4}. Clip the mixture at 1e-7 from below before you take the logarithm {#5}.
# * `minimize(..., method="Nelder-Mead")` finds them; other ways may, too. With five members it needs more steps than it takes by
#   default: `options={"maxiter": 4000, "maxfev": 4000}`.
#
# Example: one member is sure, and right on three of four rows. The other gives the right class a probability of 0.4 everywhere. The try cell has
# their numbers; the best weights are about 0.66 and 0.34.

# %% solution="blend" kind="model"
from scipy.optimize import minimize

def blend(probabilities, labels):
    """Find an ensemble's weights by Nelder-Mead on the log loss.

    Args:
        probabilities: float array [members, rows, classes], each row sums to 1.
        labels: int array [rows].
    Returns:
        list of float, one per member, >= 0, sum 1.
    """
    ### BEGIN SOLUTION
    right = np.asarray(probabilities)[:, np.arange(len(labels)), labels]

    def weights(scores):
        powers = np.exp(scores - scores.max())
        return powers / powers.sum()

    def loss(scores):
        return -np.log(np.maximum(weights(scores) @ right, 1e-7)).mean()

    enough = {"maxiter": 4000, "maxfev": 4000}
    found = minimize(loss, np.zeros(len(right)), method="Nelder-Mead", options=enough)
    return weights(found.x).tolist()
    ### END SOLUTION

# %% try="blend"
sure = [[0.9, 0.05, 0.05], [0.05, 0.9, 0.05], [0.05, 0.05, 0.9], [0.05, 0.9, 0.05]]
timid = [[0.4, 0.3, 0.3], [0.3, 0.4, 0.3], [0.3, 0.3, 0.4], [0.4, 0.3, 0.3]]
try:
    print(np.round(blend(np.array([sure, timid]), np.array([0, 1, 2, 0])), 2))
except NotImplementedError as error:
    print(error)

# %% check="blend-two" points=2 title="Two members that help each other"
import numpy as np


def log_loss(weights, probabilities, labels):
    right = np.tensordot(weights, probabilities, 1)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(right, 1e-7)).mean())


luck = np.random.default_rng(11)
labels = luck.integers(0, 4, 200)
scores = luck.normal(0, 1, (2, 200, 4))
scores[0, np.arange(200), labels] += 2.0
scores[1, np.arange(200), labels] += 1.4
powers = np.exp(scores * np.array([2.5, 1.0])[:, None, None])
probabilities = powers / powers.sum(-1, keepdims=True)
got = blend(probabilities, labels)
told = Told(
    asked="weights of two members on 200 rows",
    got=got,
    expected="two floats; log loss 0.4484",
    reread="section 12, Other members, and weights",
)
assert got is not None and np.shape(got) == (2,), told(
    "the result has not one number for each member"
)
assert type(got) is list and all(type(w) is float for w in got), told(
    "the result is no list of Python floats"
)
assert np.all(np.isfinite(got)), told("a weight is not a number")
assert min(got) >= -1e-6, told("a weight is negative")
assert abs(sum(got) - 1) < 0.005, told("the weights do not sum to 1")
loss = log_loss(got, probabilities, labels)
told.got = f"{[round(w, 3) for w in got]}, log loss {loss:.4f}"
alone = np.array([log_loss(w, probabilities, labels) for w in np.eye(2)])
accuracy = (probabilities.argmax(2) == labels).mean(1)
assert abs(got[0] - 0.5) > 0.002, told("the weights are equal")
assert max(got) < 0.98, told("all the weight is on the best member: the other one helps it")
assert not np.allclose(got, (1 / alone) / (1 / alone).sum(), atol=1e-3), told(
    "the weights are in proportion to 1 / loss"
)
assert not np.allclose(got, accuracy / accuracy.sum(), atol=1e-3), told(
    "the weights are in proportion to the accuracy"
)
assert loss < 0.4484 + 0.003, told()

# %% check="blend-useless" points=2 title="A confident member that knows nothing"
import numpy as np


def log_loss(weights, probabilities, labels):
    right = np.tensordot(weights, probabilities, 1)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(right, 1e-7)).mean())


luck = np.random.default_rng(12)
labels = luck.integers(0, 4, 300)
scores = luck.normal(0, 1, (3, 300, 4))
scores[0, np.arange(300), labels] += 2.0
scores[2, np.arange(300), labels] += 1.5
powers = np.exp(scores * np.array([2.0, 4.0, 2.0])[:, None, None])
probabilities = powers / powers.sum(-1, keepdims=True)
got = blend(probabilities, labels)
told = Told(
    asked="weights of three members; the second one is confident and knows nothing",
    got=got,
    expected="three floats; log loss 0.4158",
    reread="section 12, Other members, and weights",
)
assert got is not None and np.shape(got) == (3,), told(
    "the result has not one number for each member"
)
assert type(got) is list and all(type(w) is float for w in got), told(
    "the result is no list of Python floats"
)
assert np.all(np.isfinite(got)), told("a weight is not a number")
assert min(got) >= -1e-6, told("a weight is negative")
assert abs(sum(got) - 1) < 0.005, told("the weights do not sum to 1")
loss = log_loss(got, probabilities, labels)
told.got = f"{[round(w, 3) for w in got]}, log loss {loss:.4f}"
assert max(abs(w - 1 / 3) for w in got) > 0.002, told("the weights are equal")
assert loss < 0.4158 + 0.003, told()

# %% hidden="blend-zero" points=1 title="Probabilities of exactly 0 and 1"
import numpy as np


def log_loss(weights, probabilities, labels):
    right = np.tensordot(weights, probabilities, 1)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(right, 1e-7)).mean())


luck = np.random.default_rng(draw.randrange(10**6))
labels = luck.integers(0, 4, 200)
first_only, second_only = draw.randrange(80, 100), draw.randrange(8, 14)
right = np.repeat([0, 1, 2, 3], [first_only, second_only, 10, 190 - first_only - second_only])
right = luck.permutation(right)  # by the first alone, by the second alone, by none, by both
votes = np.where((right == 0) | (right == 3), labels, (labels + 1) % 4)
others = np.where((right == 1) | (right == 3), labels, (labels + 2) % 4)
probabilities = np.eye(4)[np.array([votes, others])]
got = blend(probabilities, labels)
lowest = log_loss(reference.blend(probabilities, labels), probabilities, labels)
told = Told(
    asked="weights of two members that say exactly 0 and 1",
    got=got,
    expected=f"log loss {lowest:.4f}",
    reread="the text of exercise 4",
)
assert got is not None and np.shape(got) == (2,), told(
    "the result has not one number for each member"
)
assert np.all(np.isfinite(got)), told("a weight is not a number: was the logarithm of 0 taken?")
assert min(got) >= -1e-6, told("a weight is negative")
assert abs(sum(got) - 1) < 0.005, told("the weights do not sum to 1")
loss = log_loss(got, probabilities, labels)
told.got = f"{[round(w, 3) for w in got]}, log loss {loss:.4f}"
assert loss < lowest + 0.003, told()

# %% hidden="blend-five" points=2 title="Five members: twins, a weak one, one that errs elsewhere"
import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax


def log_loss(weights, probabilities, labels):
    right = np.tensordot(weights, probabilities, 1)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(right, 1e-7)).mean())


def with_rest(v):
    """The last weight is what the others leave; where one is below 0, no weights: the largest loss."""
    weights = np.append(v, 1 - v.sum())
    return weights if weights.min() >= 0 else np.zeros(5)


usual = {  # ways to keep weights at least 0 and their sum 1, and where they start
    "absolute": (lambda v: np.abs(v) / np.abs(v).sum(), np.full(5, 1 / 5)),
    "last score fixed": (lambda s: softmax(np.append(s, 0.0)), np.zeros(4)),
    "the rest": (with_rest, np.full(4, 1 / 5)),
}
enough = {"maxiter": 4000, "maxfev": 4000}
for _ in range(20):  # until the usual ways all come to the minimum: Nelder-Mead may stall on the way
    luck = np.random.default_rng(draw.randrange(10**6))
    labels = luck.integers(0, 4, 400)
    scores = luck.normal(0, 1, (5, 400, 4))
    scores[1] = 0.6 * scores[0] + 0.8 * scores[1]
    for member, skill in enumerate((2.0, 2.0, 1.8, 1.0, 2.0)):
        scores[member, np.arange(400), labels] += skill
    powers = np.exp(3.0 * scores)
    probabilities = powers / powers.sum(-1, keepdims=True)
    right = probabilities[:, np.arange(400), labels]
    found = [log_loss(reference.blend(probabilities, labels), probabilities, labels)]
    for weights, start in usual.values():
        mean_loss = lambda v: -np.log(np.maximum(weights(v) @ right, 1e-7)).mean()
        found.append(minimize(mean_loss, start, method="Nelder-Mead", options=enough).fun)
    lowest = min(found)
    if max(found) < lowest + 0.001:
        break
got = blend(probabilities, labels)
told = Told(
    asked="weights of five members on 400 rows",
    got=got,
    expected=f"log loss {lowest:.4f}",
    reread="section 12, Other members, and weights",
)
assert got is not None and np.shape(got) == (5,), told(
    "the result has not one number for each member"
)
assert np.all(np.isfinite(got)), told("a weight is not a number")
assert min(got) >= -1e-6, told("a weight is negative")
assert abs(sum(got) - 1) < 0.005, told("the weights do not sum to 1")
loss = log_loss(got, probabilities, labels)
told.got = f"{[round(w, 3) for w in got]}, log loss {loss:.4f}"
assert loss < lowest + 0.003, told()

# %% [markdown]
# ## 13 Ensembles on devices and over queues
#
# How does an ensemble answer at work? **In one graph**: each network on a device of its own, the mean on `CPU:0`.

# %% grading="skip"
def dense(x, w1, w2):
    return tf.nn.softmax(tf.nn.relu(x @ w1) @ w2)

def ensemble_graph(networks):
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        parts = []
        for i, layers in enumerate(networks, start=1):
            with tf.device(f"/device:CPU:{i}"):
                parts.append(tf.multiply(1 / len(networks), dense(x, *layers), name=f"part{i}"))
        with tf.device("/device:CPU:0"):
            tf.add_n(parts, name="mixed")
    return graph

# %% grading="skip"
first_layers, second_layers = [w.numpy() for w in weights]
graph = ensemble_graph([(first_layers[seed], second_layers[seed]) for seed in (0, 1)])
mixed, metadata = run_and_trace(graph, "mixed:0", {"x:0": test[0]})
where = placement_of(metadata)
print({name: where[name] for name in ("part1", "part2", "mixed")})
print("same as outside the graph:", np.allclose(mixed, nets["test"][0, :2].mean(0), atol=1e-4))
for move in transfers_of(metadata):
    print("between devices:", *move)

# %% [markdown]
# Only `x` goes out, and one small table of probabilities comes back from each device. One run, simple and exact. But trees are no
# TensorFlow op, and if one member hangs, the whole run hangs. **Between graphs**, each member has a process and an input queue of its own:
# lesson 04 builds such an ensemble, and lesson 07 lets one member of it die.
#
# | question | one graph | graphs joined by queues |
# | --- | --- | --- |
# | members | TensorFlow ops | anything that reads and writes arrays |
# | a member hangs | everything hangs | the others answer; the client averages those that came |
# | weights | constants of the graph | must be scaled again over those that came, so that they sum to 1 |
# | effort | little | threads or processes, timeouts, an orderly end |
#
# Today a model server takes the place of the queues, and a request's deadline takes the place of the timeout.

# %% [markdown] exercise="nets"
# ### Exercise 5 · Networks side by side, and their mean
#
# Write `side_by_side(nets, devices)`. It builds **one graph** with one network for each entry of `nets`, such as
# `{"units": 8, "rate": 0.5, "seed": 1}`, and returns it as bytes: `graph.as_graph_def().SerializeToString()` {#1}.
# The variables and matmuls of network `i` (from 0 on), those of its gradients too, are on `devices[i % len(devices)]` {#2}.
#
# | name | what |
# | --- | --- |
# | `x`, `y` | placeholders: float32 `[None, 64]`, int32 `[None]` {#3} |
# | `net0/w1`, `net0/w2` | variables, no biases; their first values are `first_values(units, seed)` {#4} |
# | `net0/probabilities` | softmax(relu(`x` · `w1`) · `w2`), of shape `[rows, 10]` {#5} |
# | `net0/loss` | mean over the rows of minus the logarithm of the right class's probability {#6} |
# | `init` | an op that gives all variables their first values, such as a `tf.group` of their `initializer`s {#7} |
# | `train` | **one** op that makes one step of gradient descent in each network, on its own loss {#8}, with its own `rate` {#9} |
# | `ensemble` | the mean of the networks' probabilities {#10}, on `/device:CPU:0` {#11} |
#
# The names of network 1 begin with `net1/`, and so on. Example: `side_by_side([{"units": 8, "rate": 0.5, "seed": 1},
# {"units": 16, "rate": 0.1, "seed": 2}], ["/device:CPU:1", "/device:CPU:2"])`: the try cell trains it.
#
# (TensorFlow's names ignore case: a second op called `loss` becomes `loss_1`, and so does one called `Loss`.)

# %% solution="nets" kind="graph"
def side_by_side(nets, devices):
    """One network on each device, trained by one op, and the mean of their probabilities.

    Args:
        nets: list of {"units": int, "rate": float, "seed": int}, at least one.
        devices: list of str such as "/device:CPU:1", at least one.
    Returns:
        bytes: the serialized GraphDef.
    """
    ### BEGIN SOLUTION
    with tf.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        y = v1.placeholder(tf.int32, [None], name="y")
        steps, probabilities = [], []
        for i, net in enumerate(nets):
            with tf.device(devices[i % len(devices)]), tf.name_scope(f"net{i}"):
                first = first_values(net["units"], net["seed"])
                w1 = v1.Variable(first[0], name="w1")
                w2 = v1.Variable(first[1], name="w2")
                logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
                probabilities.append(tf.nn.softmax(logits, name="probabilities"))
                costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
                loss = tf.reduce_mean(costs, name="loss")
                optimizer = v1.train.GradientDescentOptimizer(net["rate"])
                steps.append(optimizer.minimize(loss, var_list=[w1, w2]))
        tf.group(*steps, name="train")
        with tf.device("/device:CPU:0"):
            tf.divide(tf.add_n(probabilities), float(len(nets)), name="ensemble")
        tf.group(*[variable.initializer for variable in v1.global_variables()], name="init")
    return graph.as_graph_def().SerializeToString()
    ### END SOLUTION

# %% try="nets"
try:
    two = [{"units": 8, "rate": 0.5, "seed": 1}, {"units": 16, "rate": 0.1, "seed": 2}]
    with tf.Graph().as_default() as graph:
        definition = side_by_side(two, ["/device:CPU:1", "/device:CPU:2"])
        tf.import_graph_def(v1.GraphDef.FromString(definition), name="")
    feed = {"x:0": train[0], "y:0": train[1]}
    with v1.Session(graph=graph, config=cpus) as session:
        session.run("init")
        for step in range(3):
            print("losses", session.run(["net0/loss:0", "net1/loss:0"], feed))
            session.run("train", feed)
except NotImplementedError as error:
    print(error)

# %% check="nets-losses" points=2 title="The names of the table; first values and losses"
import numpy as np
import tensorflow as tf

nets = [{"units": 8, "rate": 0.5, "seed": 3}, {"units": 16, "rate": 0.1, "seed": 1000}]
answer = side_by_side(nets, ["/device:CPU:1", "/device:CPU:2"])
told = Told(
    asked=f"the graph for {nets}",
    got=f"a {type(answer).__name__}",
    expected="the bytes of a GraphDef with the names of the table",
    reread="the text of exercise 5",
)
assert type(answer) is bytes, told(
    "the result is not bytes: graph.as_graph_def().SerializeToString()"
)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer), name="")
names = {op.name for op in graph.get_operations()}
wanted = ["x", "y", "init", "train", "ensemble"]
wanted += [f"net{i}/{name}" for i in (0, 1) for name in ("w1", "w2", "probabilities", "loss")]
missing = [name for name in wanted if name not in names]
taken = [name for name in missing if f"{name}_1" in names]
told.got = (
    f"missing: {missing}; there are {sorted(name for name in names if name.count('/') < 2)[:20]}"
)
assert not taken, told(
    f"there is {taken and taken[0]}_1: another op had the name {taken and taken[0]} already"
)
assert not missing, told("a name of the table is missing")
kinds = {
    name: [
        graph.get_operation_by_name(name).type,
        graph.get_tensor_by_name(f"{name}:0").dtype.name,
    ]
    for name in ("x", "y")
}
told.got, told.expected = kinds, "x is a Placeholder for float32, y one for int32"
assert kinds == {"x": ["Placeholder", "float32"], "y": ["Placeholder", "int32"]}, told(
    "x or y is another op or dtype"
)
luck = np.random.default_rng(5)
feed = {"x:0": luck.random((20, 64)).astype("float32"), "y:0": luck.integers(0, 10, 20)}
told.asked, told.expected = "net0/loss and net1/loss after init, on 20 rows", [2.51643, 2.46621]
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    session.run("init")
    losses = None
    try:
        losses, shares = session.run(
            [["net0/loss:0", "net1/loss:0"], "net0/probabilities:0"], feed
        )
    except tf.errors.FailedPreconditionError as error:
        told.got = str(error).splitlines()[0][:150]
    assert losses is not None, told("after init, a variable has no value")
told.got = [float(np.mean(loss)) for loss in losses]
assert all(np.ndim(loss) == 0 for loss in losses), told(
    "the loss is not one number: the mean over the rows is missing"
)
assert not np.allclose(told.got, [2.51643, 3.00282], atol=2e-4), told(
    "both networks begin with the seed of the first one"
)
assert not np.allclose(told.got, 20 * np.array(told.expected), rtol=1e-3), told(
    "the loss is the sum over the rows"
)
assert np.allclose(told.got, told.expected, atol=2e-4), told()
told.asked, told.got, told.expected = (
    "a row of net0/probabilities",
    shares[0],
    "ten numbers with the sum 1",
)
assert shares.shape == (20, 10) and np.allclose(shares.sum(1), 1, atol=1e-4), told(
    "the softmax is missing"
)

# %% check="nets-devices" points=2 title="Each network on its device"
import numpy as np
import tensorflow as tf

nets = [{"units": 4 + i, "rate": 0.1, "seed": i} for i in range(3)]
devices = ["/device:CPU:2", "/device:CPU:1"]
answer = side_by_side(nets, devices)
told = Told(
    asked=f"three networks on {devices}: where are their variables and matmuls?",
    got=f"a {type(answer).__name__}",
    expected="net0 CPU:2, net1 CPU:1, net2 CPU:2, ensemble CPU:0",
    reread="section 1, One network per device",
)
assert type(answer) is bytes, told(
    "the result is not bytes: graph.as_graph_def().SerializeToString()"
)
with tf.Graph().as_default() as graph:
    tf.import_graph_def(tf.compat.v1.GraphDef.FromString(answer), name="")
names = {op.name for op in graph.get_operations()}
told.got = f"missing: {[name for name in ('x', 'init', 'ensemble') if name not in names]}"
assert {"x", "init", "ensemble"} <= names, told("a name of the table is missing")
config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0}, allow_soft_placement=False)
config.graph_options.rewrite_options.disable_meta_optimizer = True
config.graph_options.optimizer_options.opt_level = -1
metadata, options = (
    tf.compat.v1.RunMetadata(),
    tf.compat.v1.RunOptions(output_partition_graphs=True),
)
with tf.compat.v1.Session(graph=graph, config=config) as session:
    session.run("init")
    session.run("ensemble:0", {"x:0": np.ones((2, 64))}, options, metadata)
places = {}
for node in (node for part in metadata.partition_graphs for node in part.node):
    if node.op in (
        "VarHandleOp",
        "MatMul",
        "_MklMatMul",
        "_FusedMatMul",
    ) and node.name.startswith("net"):
        places.setdefault(node.name.split("/")[0], set()).add(node.device.split("device:")[1])
    if node.name == "ensemble":
        places["ensemble"] = {node.device.split("device:")[1]}
told.got = ", ".join(
    f"{name} {' and '.join(sorted(some))}" for name, some in sorted(places.items())
)
networks = [places.get(f"net{i}", set()) for i in range(3)]
assert not any(len(some) > 1 for some in networks), told(
    "a network's variables and matmuls are on different devices"
)
assert len(set(map(str, networks))) > 1, told("all networks are on one device")
assert networks == [{"CPU:2"}, {"CPU:1"}, {"CPU:2"}], told(
    "network i is not on devices[i % len(devices)]"
)
assert places.get("ensemble") == {"CPU:0"}, told(
    "the networks are right, but the mean is not on CPU:0"
)
inputs = {
    node.name: [name.split(":")[0] for name in node.input if name[0] != "^"]
    for node in graph.as_graph_def().node
}
if {"y", "train"} <= names:
    metadata = tf.compat.v1.RunMetadata()
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run("init")
        session.run("train", {"x:0": np.ones((2, 64)), "y:0": np.zeros(2)}, options, metadata)
    told.asked = f"three networks on {devices}: where are their matmuls when train runs?"
    told.expected = "net0 CPU:2, net1 CPU:1, net2 CPU:2"
    places = [set(), set(), set()]
    for node in (node for part in metadata.partition_graphs for node in part.node):
        if node.op in ("MatMul", "_MklMatMul", "_FusedMatMul"):
            found, todo = set(), [node.name]
            while todo:
                new = set(inputs.get(todo.pop(), [])) - found
                found |= new
                todo += new
            owners = [i for i in range(3) if {f"net{i}/w1", f"net{i}/w2"} & found]
            if len(owners) == 1:
                places[owners[0]].add(node.device.split("device:")[1])
    told.got = ", ".join(f"net{i} {' and '.join(sorted(some))}" for i, some in enumerate(places))
    assert all(some <= mine for some, mine in zip(places, networks)), told(
        "matmuls of a network's gradients are on another device than the network"
    )

# %% hidden="nets-train" points=2 title="One op trains all networks"
import numpy as np
import tensorflow as tf

nets = [
    {"units": units, "rate": rate, "seed": draw.randrange(999)}
    for units, rate in ((6, 0.8), (9, 0.2), (7, 0.05))
]
luck = np.random.default_rng(draw.randrange(999))
feed = {"x:0": luck.random((30, 64)).astype("float32"), "y:0": luck.integers(0, 10, 30)}


def trained(definition):
    """The three losses before and after two runs of train."""
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(definition), name="")
    losses = [f"net{i}/loss:0" for i in range(3)]
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run("init")
        before = session.run(losses, feed)
        session.run("train", feed)
        session.run("train", feed)
        return before, session.run(losses, feed)


devices = ["/device:CPU:1", "/device:CPU:3"]
answer, right = side_by_side(nets, devices), trained(reference.side_by_side(nets, devices))[1]
told = Told(
    asked=f"the losses after two runs of train, for {nets}",
    got=f"a {type(answer).__name__}",
    expected=right,
    reread="section 1, One network per device",
)
assert type(answer) is bytes, told(
    "the result is not bytes: graph.as_graph_def().SerializeToString()"
)
before, told.got = trained(answer)
moved = [bool(abs(a - b) > 1e-6) for a, b in zip(before, told.got)]
assert all(moved), told(f"train does not change every network; changed: {moved}")
third = [{**net, "rate": net["rate"] / 3} for net in nets]
slow = trained(reference.side_by_side(third, devices))[1]
assert not np.allclose(told.got, slow, atol=3e-4), told(
    "each step is a third of what it should be: a mean of all losses?"
)
for which, words in ((0, "first"), (-1, "last")):
    one = [{**net, "rate": nets[which]["rate"]} for net in nets]
    same_rate = trained(reference.side_by_side(one, devices))[1]
    assert not np.allclose(told.got, same_rate, atol=3e-4), told(
        f"all networks train with the rate of the {words} one"
    )
assert np.allclose(told.got, right, atol=3e-4), told()

# %% hidden="nets-ensemble" points=2 title="The ensemble is the mean of the probabilities"
import numpy as np
import tensorflow as tf

nets = [{"units": units, "rate": 0.1, "seed": draw.randrange(999)} for units in (5, 12, 30)]
devices = ["/device:CPU:0", "/device:CPU:1", "/device:CPU:2"]
feed = {"x:0": np.random.default_rng(draw.randrange(999)).random((6, 64)).astype("float32")}


def run(definition, fetches):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(tf.compat.v1.GraphDef.FromString(definition), name="")
    config = tf.compat.v1.ConfigProto(device_count={"CPU": 4, "GPU": 0})
    with tf.compat.v1.Session(graph=graph, config=config) as session:
        session.run("init")
        return session.run(fetches, feed)


answer = side_by_side(nets, devices)
parts = np.array(
    run(reference.side_by_side(nets, devices), [f"net{i}/probabilities:0" for i in range(3)])
)
told = Told(
    asked=f"the first row of ensemble, for {nets}",
    got=f"a {type(answer).__name__}",
    expected=parts.mean(0)[0],
    reread="section 11, Ensembles, with an error bar",
)
assert type(answer) is bytes, told(
    "the result is not bytes: graph.as_graph_def().SerializeToString()"
)
mean = run(answer, "ensemble:0")
told.got = mean[0] if np.ndim(mean) == 2 else f"shape {np.shape(mean)}"
assert np.shape(mean) == (6, 10), told("ensemble has not the shape [rows, 10]")
logits = np.log(parts).mean(0)
geometric = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
votes = np.eye(10)[parts.argmax(2)].mean(0)
assert not np.allclose(mean, parts.sum(0), atol=1e-4), told(
    "this is the sum, not divided by the number of networks"
)
assert not np.allclose(mean, votes, atol=1e-4), told(
    "this averages the labels, and loses how sure each network is"
)
assert not np.allclose(mean, geometric, atol=1e-4), told("this averages before the softmax")
assert np.allclose(mean, parts.mean(0), atol=1e-4), told()

# %% [markdown]
# ## 14 Break it and diagnose it
#
# Four ways to waste a search. To see them without training, this tuner searches a plain function. (`run_trial` may do anything
# that returns scores.)

# %% grading="skip"
class FunctionTuner(kt.RandomSearch):
    """Searches for the hyperparameters for which the keyword argument `function` is best."""

    def run_trial(self, trial, function, **options):
        return function(trial.hyperparameters)

def quick(function, project, objective, **options):
    """Search with 20 trials; print the best, or the first line of the error."""
    options = {"directory": folder.name, "seed": 0, "max_trials": 20, **options}
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            tuner = FunctionTuner(objective=objective, project_name=project, **options)
            tuner.search(function=function, verbose=0)
        best = tuner.get_best_hyperparameters()[0].values
        print("trials:", len(tuner.oracle.trials), "| best:", best)
    except Exception as error:
        print(f"{type(error).__name__}: {str(error).splitlines()[0][:200]}")

# %% [markdown]
# **1. A direction that is guessed wrong.** If you give only a name, KerasTuner guesses. The score below is best at `a = 1`:

# %% grading="skip"
def f1(hp):
    return {"val_f1_score": hp.Float("a", 0.0, 1.0)}

def unknown(hp):
    return {"my_score": hp.Float("a", 0.0, 1.0)}

quick(f1, "guessed", "val_f1_score")
quick(f1, "told", kt.Objective("val_f1_score", "max"))
quick(unknown, "unknown", "my_score")

# %% [markdown]
# For `"val_f1_score"` KerasTuner guessed `"min"`, silently: the first line is the **worst** trial, returned as the best. For a name that it does not know it raises an error,
# which is better. Give an `Objective` with its direction, always.
#
# **2. A model that cannot be built.** One bad trial is no harm: it gets the status `FAILED`. Three in a row end the search. The first line of the error
# says only that; the reason stands further below, in the traceback of the last trial, and in its `trial.json` under `message`.
#
# **3. A directory with old trials.** The function is corrected now, but the directory is the old one:

# %% grading="skip"
def old_score(hp):
    return {"loss": (hp.Float("a", 0.0, 1.0) - 0.5) ** 2}

def new_score(hp):
    return {"loss": (hp.Float("a", 0.0, 1.0) - 0.9) ** 2}

low = kt.Objective("loss", "min")
quick(old_score, "old", low)
quick(new_score, "old", low)
quick(new_score, "old", low, overwrite=True)

# %% [markdown]
# The second line repeats the first, although the function is another one: twenty of twenty trials were there, so it ran none. The only
# hint is *Reloading Tuner from …* at the start. `overwrite=True` gave the third line.
#
# **4. A dead worker.** You had it in section 6: no error at all, a trial that is `RUNNING` for ever.
#
# | you see | look at | then |
# | --- | --- | --- |
# | the search ends at once, with results | *Reloading Tuner from …* | `overwrite=True`, or another `project_name` |
# | the "best" is bad | the objective's direction | `Objective(name, direction)` |
# | it never ends | `ongoing_trials` in `oracle.json`, next to the live processes | start a worker with the old `KERASTUNER_TUNER_ID` |
# | it ended after three trials | the whole message, or `trial.json` | mend the model; narrow the space |
# | great on validation, poor on test | number of trials, validation rows | section 9 |
#
# ## 15 Then and now
#
# | with TensorFlow 1 | today |
# | --- | --- |
# | one `tf.Graph` with a network per `tf.device`, one `Session` | one thread or process per device |
# | a shell loop that starts programs with `--learning_rate=…` | `keras_tuner` with a directory; Optuna; Ray Tune |
# | one process per card by `CUDA_VISIBLE_DEVICES` | the same: the mask goes into the worker's environment |
# | `tf.contrib.training.HParams` | `keras_tuner.HyperParameters` |
# | `tf.estimator` with `train_and_evaluate` for each setting | `HyperModel.fit` |
# | queues of a `v1.train.Server`, shared by name | a model server, and requests with a deadline |
#
# ## 16 Recap, and back to the report
#
# 1. Models that share nothing are the easiest parallelism: one per device. Bad ones can be stopped early.
# 2. A space has scales and conditions; an objective has a direction; a search has a directory.
# 3. A chief hands out trials and never looks whether a worker lives. Same ID, same trial again.
# 4. The best validation score is partly luck, and so is the best start. Decide by validation rows; report test rows, once, with an error.
# 5. An ensemble averages probabilities; members that err differently help more. Weights find the weak member, not the fine differences.
#
# **The report of last night.** *Less time?* Yes: stop bad trials early (at equal cost, halving mostly found a better setting), and let a worker
# on each card take the next trial. *98.7 %?* The best of 200, on 300 rows: by section 9 up to three points may be luck. Train one final model and test it once. *An ensemble of
# the five best?* Perhaps: the gain depends on how differently they err, and it is measured on the test rows, paired, with its error.
# Only then can you say whether that gain is worth five times the computing for every answer.
# And five starts of one setting are a cheap ensemble to compare with. Exercise 6 asks you to write that down.
#
# **Where to read on:** [KerasTuner's guides](https://keras.io/keras_tuner/guides/); Bergstra and Bengio,
# [Random search for hyper-parameter optimization](https://jmlr.org/papers/v13/bergstra12a.html); Li and others,
# [Hyperband](https://arxiv.org/abs/1603.06560) and [ASHA](https://arxiv.org/abs/1810.05934); Cawley and Talbot,
# [On over-fitting in model selection](https://jmlr.org/papers/v11/cawley10a.html). Lesson 07 replicates one model on many devices, lesson 09 splits one.

# %% [markdown] exercise="lucky"
# ### Exercise 6 · In your own words
#
# Answer the report of the beginning. A colleague tried 200 settings on four GPUs overnight. The best one has 98.7 % on the 300 validation rows, and
# the report says: "Our model is 98.7 % accurate. An ensemble of our five best settings will be better still." Explain in four to seven sentences
# what is wrong with the first sentence and how to get an honest number; and on what it depends whether the second is true, and how you would find out.

# %% [markdown] written="lucky" points=3
# ### BEGIN SOLUTION
# The best of 200 was chosen by the validation rows, so a part of its 98.7 % is luck. Report the test result of one model.
# ### END SOLUTION

# %% [markdown] model="lucky"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# The 98.7 % is the largest of 200 measurements, each with a standard error of half a point to one point (300 rows). Whoever takes the largest takes a lucky one, so the true
# accuracy is probably lower. An honest number comes from rows that decided nothing: take one final model (for example the best setting, trained on all
# training and validation rows for 1.2 times its best epoch), measure it once on the test rows, and write the standard error beside it. The five best
# settings may be near copies of each other: then they err at the same rows, and a mean changes little. An ensemble helps if its members err differently. So look at
# the correlation of their errors, add a model of another kind, such as trees, and compare the mean with the single model on the test rows: row by row,
# with the standard error of the difference.
#
# One point each: choosing by the validation rows makes the winner's score too good; an untouched test set, once; diversity of the errors.
# </details>
