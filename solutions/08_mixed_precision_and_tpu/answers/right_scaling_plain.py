# exercise: scaling
# score:    8/8
# why:      step by step
import math


def scaled_step(weights, gradients, state, learning_rate, clip_norm, growth_steps):
    scale, good = state["scale"], state["good"]
    if not all(math.isfinite(gradient) for gradient in gradients):
        return list(weights), {"scale": scale / 2, "good": 0}
    true = [gradient / scale for gradient in gradients]
    norm = math.sqrt(sum(gradient**2 for gradient in true))
    if norm > clip_norm:
        true = [gradient * clip_norm / norm for gradient in true]
    new = [weight - learning_rate * gradient for weight, gradient in zip(weights, true)]
    good += 1
    if good == growth_steps:
        scale, good = 2 * scale, 0
    return new, {"scale": scale, "good": good}
