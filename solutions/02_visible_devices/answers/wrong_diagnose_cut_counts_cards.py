# exercise: diagnose
# score:    7/9
# fails:    diagnose-root: one GPU came through, and the mask has two entries: the second one ended it
# why:      leaves out empty entries when it counts those of the mask
import re

def diagnose(log, mask, listed):
    line = r"(?:Creating TensorFlow device|Created device) .*-> .*name: (.*?), pci bus id: ([\w:.]+)"
    gpus = [list(found) for found in re.findall(line, log)]
    failed = re.search(r"failed call to cuInit(.*)", log)
    if failed and "CUDA_ERROR_NO_DEVICE" not in failed[1]:
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU " in listed else "no card"
    elif mask is not None and 0 < len(gpus) < len([e for e in mask.split(",") if e.isdigit() and int(e) < 3]):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    else:
        cause = "fine"
    return {"gpus": gpus, "cause": cause}
