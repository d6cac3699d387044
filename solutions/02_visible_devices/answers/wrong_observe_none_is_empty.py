# exercise: observe
# score:    5/7
# breaks:   4
# fails:    observe-own: None became an empty mask, which hides all cards (or does this notebook itself have one?)
# why:      None becomes the empty text
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ)
        environment["CUDA_VISIBLE_DEVICES"] = mask or ""
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
