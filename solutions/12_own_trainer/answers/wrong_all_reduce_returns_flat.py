# exercise: all_reduce
# score:    0/11
# fails:    all_reduce-argument: does not depend on what another one has
# fails:    all_reduce-alone: two workers get nothing of one another
# fails:    all_reduce-sum: neutral
# fails:    all_reduce-bytes: nobody sends
# fails:    all_reduce-lengths: neutral
# fails:    all_reduce-types: neutral
# why:      returns what it was given
def all_reduce(i, n, send, recv, flat):
    return flat
