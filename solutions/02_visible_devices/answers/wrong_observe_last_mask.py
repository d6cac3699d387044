# exercise: observe
# score:    3/7
# breaks:   2
# fails:    observe-masks: all children saw the last mask: each needs its own environment
# fails:    observe-own: neutral
# why:      one environment, passed when all masks are in it
import os
import subprocess
import sys

def observe(program, masks):
    changes = [{} if mask is None else {"CUDA_VISIBLE_DEVICES": mask} for mask in masks]
    environment = dict(os.environ)
    for change in changes:
        environment.update(change)
    children = [subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)
                for _ in masks]
    return [child.communicate()[0].strip() for child in children]
