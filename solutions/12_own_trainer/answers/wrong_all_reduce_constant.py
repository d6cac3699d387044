# exercise: all_reduce
# score:    0/11
# fails:    all_reduce-sum: another length than flat
# fails:    all_reduce-bytes: nobody sends
# fails:    all_reduce-argument: not as long as flat
# fails:    all_reduce-lengths: not the length of flat
# fails:    all_reduce-types: the dtype is not that of flat
# fails:    all_reduce-alone: neutral
# why:      the same number whatever is asked
def all_reduce(i, n, send, recv, flat):
    return 0
