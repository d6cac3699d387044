# exercise: observe
# score:    0/7
# fails:    observe-masks: these are the masks themselves: return what the children print
# fails:    observe-environment: this is not what the children print
# fails:    observe-own: neutral
# fails:    observe-processes: a text is not what the program printed
# fails:    observe-together: neutral
# why:      returns what it was given, not what the children saw
import os
import subprocess
import sys

def observe(program, masks):
    for mask in masks:
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": mask or ""}
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    return ["" if mask is None else mask for mask in masks]
