# @title Pictures of a search (run this; open it to see how it works)
# Scales of a hyperparameter, halving, gains with error bars; and a look at a model function.
import keras
import keras_tuner as kt
import matplotlib.pyplot as plt
import numpy as np
from solutions._shared.figures import PALETTE, show


def described(model_function, values, *limits):
    """What model_function(hp, *limits) declares, and its model for these values, as plain data.

    Returns:
        dict: space (its HyperParameters.get_config()), inputs (see inputs_of), layers (see
            layers_of), optimizer (its class), rate, momentum (None without one), loss.
    """
    declared = kt.HyperParameters()
    model_function(declared, *limits)
    trial = declared.copy()
    trial.values = dict(values)  # as a tuner does for a trial
    model = model_function(trial, *limits)
    optimizer = model.optimizer
    return {
        "space": kt.HyperParameters.get_config(declared),
        "inputs": inputs_of(model),
        "layers": layers_of(model),
        "optimizer": type(optimizer).__name__,
        "rate": float(optimizer.learning_rate.numpy()),
        "momentum": getattr(optimizer, "momentum", None),
        "loss": loss_of(model),
    }


def inputs_of(model):
    """The shape of one example; None where the model takes that of the data."""
    if not model.built:
        return None
    if not hasattr(model, "input_shape"):  # a class of its own: it knows what it was built for
        shape = (model.get_build_config() or {}).get("input_shape")
        return list(shape[1:]) if isinstance(shape, tuple) else None
    return list(model.input_shape[1:])


def flat_layers(model):
    """A model's layers; of a model among them, its layers."""
    for layer in model.layers:
        yield from flat_layers(layer) if isinstance(layer, keras.Model) else [layer]


def layers_of(model):
    """[units, activation] of each Dense layer; an activation may be a layer of its own behind it.

    Of other layers: [class, None].
    """
    found = []
    for layer in flat_layers(model):
        kind, activation = type(layer).__name__, getattr(layer, "activation", None)
        name = {"ReLU": "relu", "Softmax": "softmax"}.get(kind, getattr(activation, "__name__", ""))
        name = name.removesuffix("_v2")  # of tf.nn.softmax
        if hasattr(layer, "units"):
            found.append([layer.units, name])
        elif name and found and found[-1][1] == "linear":
            found[-1][1] = name
        elif kind not in ("InputLayer", "Flatten"):  # which change nothing of rows of numbers
            found.append([kind, None])
    return found


def loss_of(model):
    """The name of the loss, given as a name, a function or an object."""
    loss = keras.losses.get(model.loss)
    if not isinstance(loss, keras.losses.Loss):
        return loss.__name__
    name = getattr(getattr(loss, "fn", None), "__name__", type(loss).__name__)
    return name + (" from logits" if loss.get_config().get("from_logits") else "")


def draw_scales(low, high, count=1000):
    """Histograms of numbers drawn on both scales; returns how many are below a tenth of `high`."""
    drawn = np.random.default_rng(0).random(count)
    figure, axes = plt.subplots(1, 2, figsize=(9, 2.6), layout="constrained", sharey=True)
    below = {}
    for panel, scale in zip(axes, ("linear", "log"), strict=True):
        space = kt.HyperParameters()
        space.Float("rate", low, high, sampling=scale)
        values = np.array([space.space[0].prob_to_value(u) for u in drawn])
        below[scale] = int((values < high / 10).sum())
        panel.hist(
            values, bins=np.geomspace(low, high, 19), color=PALETTE["blue"], edgecolor="white"
        )
        panel.set(
            xscale="log",
            title=f'sampling="{scale}"',
            xlabel="learning rate",
            ylabel=f"values of {count}",
        )
    show(
        figure,
        f"Two histograms of {count} learning rates on a log axis. Below a tenth of the largest: "
        f"{below['linear']} with linear sampling, {below['log']} with log sampling.",
    )
    return below


def draw_halving(table, tried, factor=3):
    """The loss of each tried setting over the epochs, each line as long as the setting was trained.

    Args:
        table: losses [settings, epochs].
        tried: numbers of the settings that begin.
    """
    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    alive, start, stop, ends = np.array(tried), 1, 1, []
    while len(alive) and start <= table.shape[1]:
        for setting in alive:
            axes.plot(
                np.arange(start, stop + 1),
                table[setting, start - 1 : stop],
                "o-",
                markersize=3,
                alpha=0.7,
            )
        ends.append(stop)
        alive = alive[table[alive, stop - 1].argsort()[: len(alive) // factor]]
        start, stop = stop, min(stop * factor, table.shape[1])
        if start == stop:
            break
    axes.set(xscale="log", yscale="log", xticks=ends, xticklabels=ends, ylim=(0.15, 5))
    axes.minorticks_off()
    axes.set(
        xlabel="epochs",
        ylabel="validation loss",
        title="Each line is a setting; it ends where it is stopped",
    )
    show(
        figure,
        f"Validation loss over epochs: {len(tried)} lines; at the epochs {ends} two of three end.",
    )


def draw_gains(gains, unit):
    """Means with two standard errors, for validation and test rows.

    Args:
        gains: {name: {"validation": numbers, "test": numbers}}.
        unit: str, what the numbers are.
    """
    figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
    looks = {"validation": (0.12, "o", "orange"), "test": (-0.12, "s", "blue")}
    for kind, (shift, marker, color) in looks.items():
        means = [np.mean(gain[kind]) for gain in gains.values()]
        errors = [
            2 * np.std(gain[kind], ddof=1) / len(gain[kind]) ** 0.5 for gain in gains.values()
        ]
        places = np.arange(len(gains)) + shift
        axes.errorbar(
            means, places, xerr=errors, fmt=marker, color=PALETTE[color], label=f"{kind} rows"
        )
    axes.axvline(0, color=PALETTE["grey"])
    axes.set(
        yticks=range(len(gains)), yticklabels=list(gains), xlabel=f"{unit}, ± 2 standard errors"
    )
    axes.legend()
    words = "; ".join(
        f"{name}: validation {np.mean(gain['validation']):.4f}, test {np.mean(gain['test']):.4f}"
        for name, gain in gains.items()
    )
    show(figure, f"Gains with error bars. {words}.")
