# score:    7/10
# says:     The kernel died in the cell `double`
# survives: grader, others
# why:      ends its own kernel in the middle of the notebook; costs the answer in that cell alone

# %% double
import os
os._exit(0)
