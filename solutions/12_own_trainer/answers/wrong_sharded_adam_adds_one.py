# exercise: sharded_adam
# score:    0/8
# fails:    sharded_adam-argument: a worker asks for nobody's gradients
# fails:    sharded_adam-step: further than Adam ever moves
# fails:    sharded_adam-memory: a state is (step, m, v)
# fails:    sharded_adam-steps: neutral
# why:      changes all weights alike, whatever the gradients are
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    return weights + 1, None
