# exercise: observe
# score:    3/7
# fails:    observe-own: after a program that could not be started, the notebook has its mask: leave os.environ alone
# fails:    observe-processes: the program ran inside the notebook
# fails:    observe-together: neutral
# why:      runs the program in the notebook itself, and puts the environment back
import contextlib
import io
import os

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
