# score:    7/10
# says:     The kernel died in the cell `double`
# survives: grader, others
# why:      kills its kernel, then whatever calls itself its parent

# %% double
import os, signal
for number in (signal.SIGTERM, signal.SIGKILL):
    for pid in (os.getppid(), os.getpid()):
        try: os.kill(pid, number)
        except OSError: pass
