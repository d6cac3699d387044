# score:    7/10
# survives: grader, others, machine
# why:      takes memory without end, half of it in a child, and ignores interrupts

# %% double
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
os.fork()
kept = []
while True:
    kept.append(b"x" * (64 << 20))
