# exercise: diagnose
# score:    4/9
# breaks:   12
# fails:    diagnose-cards: neutral
# fails:    diagnose-errors: neutral
# fails:    diagnose-root: neutral
# why:      returns None where nothing is wrong
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed else "no card"
    elif mask is not None and 0 < len(gpus) < len(mask.split(",")):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    else:
        cause = None
    return {"gpus": gpus, "cause": cause}
