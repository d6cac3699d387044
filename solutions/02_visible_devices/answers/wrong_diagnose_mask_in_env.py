# exercise: diagnose
# score:    7/9
# breaks:   8
# fails:    diagnose-mask: a mask is no proof: without cards there is nothing that it could hide
# why:      a mask is to blame if there is one
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed or mask is not None else "no card"
    elif mask is not None and 0 < len(gpus) < len(mask.split(",")):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    else:
        cause = "fine"
    return {"gpus": gpus, "cause": cause}
