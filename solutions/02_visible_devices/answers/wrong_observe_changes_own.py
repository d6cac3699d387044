# exercise: observe
# score:    5/7
# breaks:   6
# fails:    observe-own: the notebook's own mask was changed, and every later child has it: leave os.environ alone
# why:      sets the notebook's own mask
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ)
        if mask is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
