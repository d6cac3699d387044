# exercise: observe
# score:    5/7
# breaks:   6
# fails:    observe-own: put back after it
# why:      the notebook's own environment is changed for each start, and put back whatever happens
import os, subprocess, sys

def observe(program, masks):
    children = []
    before = dict(os.environ)
    try:
        for mask in masks:
            if mask is not None:
                os.environ["CUDA_VISIBLE_DEVICES"] = mask
            children.append(subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True))
            os.environ.clear()
            os.environ.update(before)
    finally:
        os.environ.clear()
        os.environ.update(before)
    return [child.communicate()[0].strip() for child in children]
