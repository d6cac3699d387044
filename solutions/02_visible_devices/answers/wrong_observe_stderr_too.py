# exercise: observe
# score:    6/8
# fails:    observe-own
# says:     only what it printed to stdout
# why:      collects what the child writes to stderr, too
import os
import subprocess
import sys



def observe(program, masks):
    children = []
    for mask in masks:
        environment = dict(os.environ) if mask is None else {**os.environ, "CUDA_VISIBLE_DEVICES": mask}
        children.append(subprocess.Popen([sys.executable, "-c", program], env=environment, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    return [child.communicate()[0].strip() for child in children]
