# exercise: observe
# score:    3/7
# breaks:   8
# fails:    observe-masks: the texts are not in the order of masks
# fails:    observe-own: neutral
# why:      waits for the last child first, and keeps that order
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
    return [child.communicate()[0].strip() for child in children[::-1]]
