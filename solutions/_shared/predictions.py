# @title Predictions (run this too)
import math


def compare_prediction(what, predicted, seen, why=""):
    """Print what was predicted beside what came.

    Args:
        what: what was predicted, with its unit: "peak in MiB".
        predicted: the learner's value; ... or "..." where none was written.
        seen: what came.
        why: one line.
    """
    reason = f" {why}" if why else ""
    came = readable(seen)
    if not was_predicted(predicted):
        print(f"{what}: {came}. (You wrote no prediction.){reason}")
    elif agrees(predicted, seen):
        print(f"✓ {what}: {came}, as you predicted.{reason}")
    else:
        print(f"✗ {what}: {came}. You predicted {readable(predicted)}.{reason}")


def readable(value):
    """A value as one writes it: a number with four digits, a dict or a list without brackets."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict):
        return ", ".join(f"{name} {readable(item)}" for name, item in value.items())
    if isinstance(value, (list, tuple)) and value:
        return ", ".join(readable(item) for item in value)
    return "..." if value is ... else str(value)


def was_predicted(value):
    """Whether a learner has replaced the dots."""
    if value is ... or (isinstance(value, str) and value.strip() in ("", "...")):
        return False
    if isinstance(value, dict):
        return any(was_predicted(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(was_predicted(item) for item in value)
    return value is not None


def agrees(predicted, seen):
    """Whether a prediction was right; numbers with a fraction may be a tenth off, texts may differ in capitals."""
    if isinstance(predicted, str) and isinstance(seen, str):
        return predicted.strip().lower() == seen.strip().lower()
    numbers = (int, float)
    if isinstance(predicted, numbers) and isinstance(seen, numbers):
        exact = isinstance(seen, int)
        return predicted == seen if exact else math.isclose(predicted, seen, rel_tol=0.1)
    return predicted == seen
