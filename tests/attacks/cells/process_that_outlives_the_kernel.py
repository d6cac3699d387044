# score:    7/10
# survives: machine, others, gradebook
# why:      leaves processes in sessions of their own, deaf to signals, and ends the kernel

# %% double
import os, subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(900)"], start_new_session=True)
subprocess.Popen("trap '' HUP INT TERM; exec setsid sleep 900", shell=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            time.sleep(1)
    os._exit(0)
time.sleep(0.5)
os._exit(0)
