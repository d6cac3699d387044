# @title Search watch (run this; open it to see how it works)
# Follows a KerasTuner search by the files in its folder, and draws its trials.
import json
import pathlib
import time

import matplotlib.pyplot as plt
from solutions._shared.figures import PALETTE, show

TICKS = (0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3, 5)


def read_json(path):
    return json.loads(pathlib.Path(path).read_text())


def read_search(project):
    """The state of a search, from its folder; None while a file of it is being written.

    Returns:
        tuple: {trial: its trial.json}, and {tuner: the trial that it works on}.
    """
    try:
        paths = sorted(pathlib.Path(project).glob("trial_*/trial.json"))
        trials = {trial["trial_id"]: trial for trial in map(read_json, paths)}
        ongoing = read_json(f"{project}/oracle.json")["ongoing_trials"]
    except (ValueError, FileNotFoundError):
        return None
    # the oracle's file lags a little behind those of the trials
    running = {name for name, trial in trials.items() if trial["status"] == "RUNNING"}
    return trials, {tuner: trial for tuner, trial in ongoing.items() if trial in running}


def tell_news(trials, ongoing, told, seconds):
    """Print a line for each trial that began or ended and is not yet in the set ``told``."""
    owners = {trial: tuner for tuner, trial in ongoing.items()}
    for number, trial in trials.items():
        if number in owners and (number, owners[number]) not in told:
            told.add((number, owners[number]))
            print(f"{seconds:5.1f} s  trial {number} runs on {owners[number]}")
        elif trial["score"] is not None and number not in told:
            told.add(number)
            print(
                f"{seconds:5.1f} s  trial {number} {trial['status'].lower()}: {trial['score']:.3f}"
            )


def watch_search(project, until, seconds=200):
    """Tell what begins and ends until ``until(trials, ongoing)`` is true; returns both.

    Raises:
        TimeoutError: it is not true after so many seconds.
    """
    start = time.monotonic()
    old_trials, _ = read_search(project) or ({}, {})
    told = {number for number, trial in old_trials.items() if trial["score"] is not None}
    while True:
        trials, ongoing = read_search(project) or ({}, {})
        tell_news(trials, ongoing, told, time.monotonic() - start)
        if (trials or ongoing) and until(trials, ongoing):
            return trials, ongoing
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"not so after {seconds} s; trials that run: {ongoing}")
        time.sleep(0.05)


def draw_in_order(axes, numbers, scores):
    """Each trial's score and the best so far, in the order of the trials."""
    best = [min(scores[: i + 1]) for i in range(len(scores))]
    low, high = min(scores) / 1.4, 1.6 * max(scores)
    axes.plot(numbers, scores, "o", color=PALETTE["blue"], label="this trial")
    axes.step(numbers, best, "--", where="post", color=PALETTE["orange"], label="best so far")
    axes.set(xlabel="trial, in the order of its start", ylabel="score: validation loss")
    axes.set(yscale="log", xticks=numbers, ylim=(low, high))
    axes.set_yticks([tick for tick in TICKS if low < tick < high])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    axes.legend()


def draw_by_rate(axes, trials, rate, size):
    """Each trial's score over its learning rate, with its size in words that do not overlap."""
    height = 0
    for trial in sorted(trials, key=lambda trial: trial["score"]):
        values = trial["hyperparameters"]["values"]
        height = max(trial["score"], 1.12 * height)
        axes.plot(values[rate], trial["score"], "s", color=PALETTE["blue"])
        words = f"trial {trial['trial_id']}: {values[size]} {size}"
        axes.text(1.25 * values[rate], height, words, fontsize=8, va="center")
    axes.set(xlabel="learning rate", xscale="log")
    left, right = axes.get_xlim()
    axes.set_xlim(left, 8 * right)  # room for the words


def draw_trials(trials, rate="rate", size="units"):
    """Two plots of finished trials: scores in their order, and scores over the learning rate."""
    done = [trial for trial in trials.values() if trial["score"] is not None]
    done.sort(key=lambda trial: int(trial["trial_id"]))
    best = min(done, key=lambda trial: trial["score"])
    values = best["hyperparameters"]["values"]
    settings = ", ".join(f"{name} {value:.3g}" for name, value in values.items())
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained", sharey=True)
    numbers = [int(trial["trial_id"]) for trial in done]
    draw_in_order(left, numbers, [trial["score"] for trial in done])
    draw_by_rate(right, done, rate, size)
    winner = f"trial {best['trial_id']} with {best['score']:.3f}: {settings}"
    words = f"{len(done)} trials; the best is {winner}"
    show(figure, f"Two plots of the scores of {words}")
    print(f"In words: {words}")
