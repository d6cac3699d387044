# exercise: micro
# score:    0/8
# fails:    micro-arguments: has nothing of the gradients
# fails:    micro-equal: neutral
# fails:    micro-memory: smaller than the size
# fails:    micro-rest: neutral
# why:      returns zeros of the right shapes
def micro_gradients(weights, x, y, size):
    return [0 * w for w in weights]
