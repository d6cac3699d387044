# exercise: observe
# score:    5/7
# breaks:   4
# fails:    observe-own: None means that nothing is changed; this child has a mask that was not meant for it
# why:      one environment for all children: a mask stays for the next
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    environment = dict(os.environ)
    for mask in masks:
        if mask is not None:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
