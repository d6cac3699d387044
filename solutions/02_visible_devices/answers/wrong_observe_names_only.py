# exercise: observe
# score:    6/7
# breaks:   5
# fails:    observe-environment: not their values
# why:      all names of the notebook's environment, but of most not the values
import os, subprocess, sys
def observe(program, masks):
    kids = []
    for mask in masks:
        env = {name: "x" for name in os.environ}
        if "CUDA_VISIBLE_DEVICES" in os.environ:
            env["CUDA_VISIBLE_DEVICES"] = os.environ["CUDA_VISIBLE_DEVICES"]
        for k in ("HOME","TMPDIR","LC_ALL","LANG", "PYTHONHASHSEED"):
            if k in os.environ: env[k] = os.environ[k]
        if mask is not None:
            env["CUDA_VISIBLE_DEVICES"] = mask
        kids.append(subprocess.Popen([sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, text=True))
    return [k.communicate()[0].strip() for k in kids]
