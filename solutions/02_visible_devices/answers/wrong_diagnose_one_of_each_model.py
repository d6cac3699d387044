# exercise: diagnose
# score:    7/9
# fails:    diagnose-new: two cards of one model
# why:      counts each model once, not each card
import re

def diagnose(log, mask, listed):
    gpus = []
    for line in log.splitlines():
        if "Creating TensorFlow device" in line or "Created device" in line:
            found = re.search(r"name: (.*?), pci bus id: ([^,)]+)", line)
            if found and "GPU" in line.upper():
                pair = [found.group(1).strip(), found.group(2).strip()]
                if pair[0] not in [one[0] for one in gpus]:
                    gpus.append(pair)
    failed = [line for line in log.splitlines() if "failed call to cuInit" in line]
    cause = "fine"
    if any("CUDA_ERROR_NO_DEVICE" not in line for line in failed):
        cause = "driver"
    elif failed:
        cause = "mask" if "GPU" in listed else "no card"
    elif mask is not None and gpus and len(gpus) < len(mask.split(",")):
        cause = "cut"
    elif "Visible devices cannot be modified after being initialized" in log:
        cause = "late"
    elif "Cannot assign a device for operation" in log:
        cause = "pin"
    return {"gpus": gpus, "cause": cause}
