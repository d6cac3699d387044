# exercise: observe
# score:    7/7
# why:      a thread waits for each child
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

def observe(program, masks):
    def run(mask):
        environment = os.environ.copy()
        environment.update({} if mask is None else {"CUDA_VISIBLE_DEVICES": mask})
        command = [sys.executable, "-c", program]
        child = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
        return child.stdout.strip()

    with ThreadPoolExecutor(max(1, len(masks))) as pool:
        return list(pool.map(run, masks))
