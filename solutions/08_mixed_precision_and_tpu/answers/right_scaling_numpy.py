# exercise: scaling
# score:    8/8
# why:      with NumPy, returns arrays
import numpy as np


def scaled_step(weights, gradients, state, learning_rate, clip_norm, growth_steps):
    state, gradients = dict(state), np.array(gradients, dtype="float64")
    if not np.isfinite(gradients).all():
        state.update(scale=state["scale"] / 2, good=0)
        return list(weights), state
    gradients /= state["scale"]
    gradients *= min(1, clip_norm / max(np.linalg.norm(gradients), 1e-300))
    state["good"] = (state["good"] + 1) % growth_steps
    if state["good"] == 0:
        state["scale"] *= 2
    return (np.array(weights) - learning_rate * gradients).tolist(), state
