# exercise: observe
# score:    6/7
# breaks:   7
# fails:    observe-together: the first child was waited for before the second was started: start all, then wait
# why:      waits for each child before it starts the next
import os
import subprocess
import sys

def observe(program, masks):
    texts = []
    for mask in masks:
        environment = {**os.environ, **({} if mask is None else {"CUDA_VISIBLE_DEVICES": mask})}
        child = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        texts.append(child.stdout.strip())
    return texts
