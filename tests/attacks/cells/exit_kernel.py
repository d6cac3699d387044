# score:    0/10
# says:     The kernel died in the cell `double`
# survives: grader, others
# why:      ends its own kernel in the middle of the notebook; what was not run cannot be judged

# %% double
import os
os._exit(0)
