# exercise: observe
# score:    6/7
# breaks:   11
# fails:    observe-processes: Running your code raised RuntimeError
# why:      raises an error for a child that ended with one
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
    texts = []
    for child in children:
        out, err = child.communicate()
        if child.returncode:
            raise RuntimeError(err)
        texts.append(out.strip())
    return texts

