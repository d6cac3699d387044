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
        return subprocess.check_output([sys.executable, "-c", program], env=environment, text=True).strip()

    with ThreadPoolExecutor(max(1, len(masks))) as pool:
        return list(pool.map(run, masks))
