# exercise: observe
# score:    5/7
# breaks:   4
# fails:    observe-own: the mask was taken away: None means that nothing is changed
# why:      None removes the mask instead of leaving the environment as it is
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        environment = {name: value for name, value in os.environ.items() if name != "CUDA_VISIBLE_DEVICES"}
        if mask is not None:
            environment["CUDA_VISIBLE_DEVICES"] = mask
        command = [sys.executable, "-c", program]
        children.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
    return [child.communicate()[0].strip() for child in children]
