# exercise: diagnose
# score:    9/9
# why:      pairs as tuples
import re

def diagnose(log, mask, listed):
    lines = [line for line in log.splitlines() if "Creating TensorFlow device" in line or "Created device" in line]
    gpus = [re.search(r"name: (.*), pci bus id: ([\w:.]+)", line).groups() for line in lines]
    result = {"gpus": gpus, "cause": "fine"}
    if "Cannot assign a device for operation" in log:
        result["cause"] = "pin"
    if "Visible devices cannot be modified" in log:
        result["cause"] = "late"
    if mask is not None and gpus and len(gpus) < len(mask.split(",")):
        result["cause"] = "cut"
    if "CUDA_ERROR_NO_DEVICE" in log:
        result["cause"] = "mask" if "GPU" in listed else "no card"
    elif "failed call to cuInit" in log:
        result["cause"] = "driver"
    return result
