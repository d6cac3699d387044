#@title Search watch (run this; open it to see how it works)
# Follows a KerasTuner search by the files in its folder, and draws its trials.
import glob, json, pathlib, time
import IPython.core.pylabtools, IPython.display, matplotlib.pyplot as plt


def read_search(project):
    """({trial: its trial.json}, {tuner: the trial that it has now}) of a search's folder; None while it is written."""
    try:
        read = lambda path: json.loads(pathlib.Path(path).read_text())
        files = [read(path) for path in sorted(glob.glob(f"{glob.escape(project)}/trial_*/trial.json"))]
        trials, ongoing = {t["trial_id"]: t for t in files}, read(f"{project}/oracle.json")["ongoing_trials"]
        return trials, {who: n for who, n in ongoing.items() if trials.get(n, {}).get("status") == "RUNNING"}  # it lags a bit
    except (ValueError, FileNotFoundError):  # it is being written at this moment
        return None


def watch(project, until, seconds=200):
    """Print a line for each trial that begins and ends, until until(trials, ongoing) is true; returns both."""
    start, told = time.monotonic(), {number for number, trial in (read_search(project) or ({}, {}))[0].items() if trial["score"] is not None}
    while True:
        trials, ongoing = read_search(project) or ({}, {})
        for number, trial in trials.items():
            owner = [tuner for tuner, mine in ongoing.items() if mine == number]
            if trial["status"] == "RUNNING" and owner and (number, owner[0]) not in told:
                told.add((number, owner[0]))
                print(f"{time.monotonic() - start:5.1f} s  trial {number} runs on {owner[0]}")
            elif trial["score"] is not None and number not in told:
                told.add(number)
                print(f"{time.monotonic() - start:5.1f} s  trial {number} {trial['status'].lower()}: {trial['score']:.3f}")
        if (trials or ongoing) and until(trials, ongoing):
            return trials, ongoing
        if time.monotonic() - start > seconds:
            raise TimeoutError(f"not so after {seconds} s; trials that run: {ongoing}")
        time.sleep(0.05)


def draw_trials(trials, rate="rate", size="units"):
    """Two plots of finished trials: score in the order of the trials with the best so far, and rate against score."""
    done = [t for _, t in sorted(trials.items(), key=lambda item: int(item[0])) if t["score"] is not None]
    scores, numbers = [t["score"] for t in done], [int(t["trial_id"]) for t in done]
    figure = plt.Figure((9.5, 3.2), layout="constrained")  # not one of pyplot's: a widget's thread may draw too
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot(numbers, scores, "o", color="#0072B2", label="this trial")
    left.step(numbers, [min(scores[:i + 1]) for i in range(len(scores))], "--", where="post", color="#D55E00", label="best so far")
    left.set(xlabel="trial, in the order of its start", ylabel="score: validation loss", yscale="log", xticks=numbers, ylim=(min(scores) / 1.4, 1.6 * max(scores)))
    left.set_yticks([tick for tick in (.05, .1, .2, .3, .5, 1, 2, 3, 5) if min(scores) / 1.4 < tick < 1.6 * max(scores)])
    left.yaxis.set_major_formatter(lambda value, _: f"{value:g}"), left.minorticks_off(), left.legend()
    height = 0
    for t in sorted(done, key=lambda t: t["score"]):
        values, height = t["hyperparameters"]["values"], max(t["score"], 1.12 * height)  # words above each other
        right.plot(values[rate], t["score"], "s", color="#0072B2")
        right.text(1.25 * values[rate], height, f"trial {t['trial_id']}: {values[size]} {size}", fontsize=8, va="center")
    right.set(xlabel="learning rate", xscale="log")
    right.set_xlim(right.get_xlim()[0], 8 * right.get_xlim()[1])  # room for the words
    best = min(done, key=lambda t: t["score"])
    words = (f"In words: {len(done)} trials; the best is trial {best['trial_id']} with {best['score']:.3f}: "
             + ", ".join(f"{name} {value:.3g}" for name, value in best["hyperparameters"]["values"].items()))
    png = IPython.core.pylabtools.print_figure(figure, base64=True)
    IPython.display.display({"image/png": png, "text/plain": f"A picture of this: {words}"}, raw=True)
    print(words)
