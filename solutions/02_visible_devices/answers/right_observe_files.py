# exercise: observe
# score:    7/7
# why:      the children print into files
import os
import subprocess
import sys
import tempfile

def observe(program, masks):
    started = []
    for mask in masks:
        changes = {} if mask is None else {"CUDA_VISIBLE_DEVICES": mask}
        file = tempfile.TemporaryFile("w+")
        started.append((subprocess.Popen([sys.executable, "-c", program], env={**os.environ, **changes}, stdout=file), file))
    texts = []
    for child, file in started:
        child.wait()
        file.seek(0)
        texts.append(file.read().strip())
        file.close()
    return texts
