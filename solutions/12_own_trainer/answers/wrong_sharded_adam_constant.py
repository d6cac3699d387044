# exercise: sharded_adam
# score:    0/8
# fails:    sharded_adam-argument: not as many weights as were given
# fails:    sharded_adam-step: as many weights are returned as were given
# fails:    sharded_adam-memory: a state is (step, m, v)
# fails:    sharded_adam-steps: as many weights are returned as were given
# why:      the same numbers whatever is asked
def sharded_adam(i, n, reduce_scatter, all_gather, weights, gradients, rate, state=None):
    return 0.0, 0.0
