# exercise: observe
# score:    5/7
# breaks:   10
# fails:    observe-masks: strip each text, at both ends
# why:      takes away only what stands behind the text
import os
import subprocess
import sys

def observe(program, masks):
    children = []
    for mask in masks:
        env = dict(os.environ)
        if mask is not None:
            env["CUDA_VISIBLE_DEVICES"] = mask
        children.append(subprocess.Popen([sys.executable, "-c", program], env=env,
                                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, text=True))
    return [child.communicate()[0].rstrip() for child in children]
