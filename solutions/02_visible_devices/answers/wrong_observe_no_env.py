# exercise: observe
# score:    3/7
# breaks:   2
# fails:    observe-masks: the mask does not reach the children: pass env= when you start each
# fails:    observe-own: neutral
# why:      forgets env=
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
        children.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
