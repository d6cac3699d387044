# score:    7/10
# says:     could not be stopped
# survives: grader, others
# why:      loops for ever in C, where no interrupt is looked at

# %% double
import collections, itertools
collections.deque(itertools.count(), maxlen=0)
