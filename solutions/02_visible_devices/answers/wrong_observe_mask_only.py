# exercise: observe
# score:    6/7
# breaks:   5
# fails:    observe-environment: the environment holds the mask and nothing else: begin with a copy of os.environ
# why:      an environment with nothing but the mask
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ) if mask is None else {}
        if mask is not None:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
