# exercise: observe
# score:    5/7
# breaks:   9
# fails:    observe-own: what the child wrote to stderr is in its text
# why:      collects what the child writes to stderr, too
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ)
        if mask is not None:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    return [child.communicate()[0].strip() for child in children]
