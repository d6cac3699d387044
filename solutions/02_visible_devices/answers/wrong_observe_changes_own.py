# exercise: observe
# score:    6/8
# fails:    observe-own
# says:     leave os.environ alone
# why:      sets the notebook's own mask
import os
import subprocess
import sys


def observe(program, masks):
    children = []
    for mask in masks:
        if mask is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = mask
        children.append(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
