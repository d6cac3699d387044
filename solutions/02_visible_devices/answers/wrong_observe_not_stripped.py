# exercise: observe
# score:    3/7
# breaks:   10
# fails:    observe-masks: strip each text, at both ends
# fails:    observe-own: neutral
# why:      keeps the line end that print adds
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
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0] for child in children]
