# exercise: observe
# score:    5/7
# breaks:   6
# fails:    observe-own: after a program that could not be started, the notebook has its mask: leave os.environ alone
# why:      sets the notebook's own mask for each start and puts it back after it
import os
import subprocess
import sys

def observe(program, masks):
    children, before = [], os.environ.get("CUDA_VISIBLE_DEVICES")
    for mask in masks:
        if mask is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = mask
        children.append(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True))
        if before is None:
            os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        else:
            os.environ["CUDA_VISIBLE_DEVICES"] = before
    return [child.communicate()[0].strip() for child in children]
