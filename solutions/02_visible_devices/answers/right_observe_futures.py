# exercise: observe
# score:    7/7
# why:      subprocess.run in threads; a union of dicts as environment
import os, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

def _run(program, mask):
    env = os.environ.copy() | ({} if mask is None else {"CUDA_VISIBLE_DEVICES": mask})
    done = subprocess.run([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True, check=False)
    return done.stdout.strip()

def observe(program, masks):
    with ThreadPoolExecutor(max_workers=max(1, len(masks))) as pool:
        futures = [pool.submit(_run, program, m) for m in masks]
        return [f.result() for f in futures]
