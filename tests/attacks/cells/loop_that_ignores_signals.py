# score:    7/10
# says:     could not be stopped
# survives: grader, others
# why:      loops for ever, ignores the interrupt and blocks every signal that can be blocked

# %% double
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
while True:
    pass
