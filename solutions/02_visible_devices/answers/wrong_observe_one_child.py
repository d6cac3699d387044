# exercise: observe
# score:    6/7
# breaks:   1
# fails:    observe-processes: two equal masks are two children: a text for each entry of masks
# why:      a dict by mask: equal masks become one child
import os
import subprocess
import sys

def observe(program, masks):
    texts = {}
    for mask in masks:
        environment = {**os.environ, **({} if mask is None else {"CUDA_VISIBLE_DEVICES": mask})}
        texts[mask] = subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)
    texts = {mask: child.communicate()[0].strip() for mask, child in texts.items()}
    return list(texts.values())
