# exercise: observe
# score:    5/7
# breaks:   3
# fails:    observe-masks: an empty mask was taken for no mask: the empty text is a value, too
# why:      tests the mask's truth, and the empty text is false
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ)
        if mask:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
