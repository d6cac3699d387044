# exercise: observe
# score:    7/7
# why:      reads the pipes itself, as bytes, with capture into a list
import os
import subprocess
import sys

def observe(program, masks):
    environments = [os.environ | ({"CUDA_VISIBLE_DEVICES": mask} if mask is not None else {}) for mask in masks]
    started = [subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE,
                                stdin=subprocess.DEVNULL) for environment in environments]
    found = []
    for process in started:
        with process:
            found += [process.stdout.read().decode().strip()]
    return found
