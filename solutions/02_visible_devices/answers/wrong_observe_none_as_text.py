# exercise: observe
# score:    5/7
# breaks:   4
# fails:    observe-own: None became the text 'None': a mask that fits no card
# why:      None becomes the text None
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ)
        environment["CUDA_VISIBLE_DEVICES"] = str(mask)
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
