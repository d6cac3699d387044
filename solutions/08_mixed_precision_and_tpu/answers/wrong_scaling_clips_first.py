# exercise: scaling
# score:    6/8
# fails:    scaling-clip
# says:     clipped first and unscaled then
# why:      clips the scaled gradients, then unscales
import math


def scaled_step(weights, gradients, state, learning_rate, clip_norm, growth_steps):
    scale, good = state["scale"], state["good"]
    if not all(math.isfinite(gradient) for gradient in gradients):
        return list(weights), {"scale": scale / 2, "good": 0}
    norm = math.sqrt(sum(gradient**2 for gradient in gradients))
    true = [gradient * min(1, clip_norm / (norm or 1)) / scale for gradient in gradients]
    new = [weight - learning_rate * gradient for weight, gradient in zip(weights, true)]
    good += 1
    if good == growth_steps:
        scale, good = 2 * scale, 0
    return new, {"scale": scale, "good": good}
