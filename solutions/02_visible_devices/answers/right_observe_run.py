# exercise: observe
# score:    7/7
# why:      subprocess.run in a pool of threads, with the mask joined to os.environ
import os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
def observe(program, masks):
    def one(mask):
        env = os.environ | ({} if mask is None else {"CUDA_VISIBLE_DEVICES": mask})
        return subprocess.run([sys.executable, "-c", program], env=env, stdout=-1, encoding="utf-8").stdout.strip()
    with ThreadPoolExecutor(max_workers=len(masks)) as pool:
        return list(pool.map(one, masks))
