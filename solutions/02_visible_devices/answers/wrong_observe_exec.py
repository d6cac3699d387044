# exercise: observe
# score:    3/8
# fails:    observe-processes, observe-together, observe-own
# says:     the program ran inside the notebook
# why:      runs the program in the notebook itself, and puts the environment back
import os
import subprocess
import sys


import contextlib
import io

def observe(program, masks):
    texts, before = [], dict(os.environ)
    for mask in masks:
        if mask is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = mask
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(program, {})
        texts.append(out.getvalue().strip())
        os.environ.clear()
        os.environ.update(before)
    return texts
