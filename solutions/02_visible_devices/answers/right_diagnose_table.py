# exercise: diagnose
# score:    9/9
# why:      conditions in their order, in a table
import re

def diagnose(log, mask, listed):
    made = re.compile(r"Creat(?:ing TensorFlow|ed) device.*name: ([^,]+), pci bus id: ([0-9a-fA-F:.]+)")
    gpus = [[match.group(1), match.group(2)] for match in made.finditer(log)]
    started = "failed call to cuInit" not in log
    no_device = not started and "CUDA_ERROR_NO_DEVICE" in log
    entries = 0 if mask is None else len(mask.split(","))
    table = {
        "driver": not started and not no_device,
        "mask": no_device and "UUID" in listed,
        "no card": no_device,
        "cut": started and len(gpus) > 0 and entries > len(gpus),
        "late": "cannot be modified after being initialized" in log,
        "pin": "Cannot assign a device" in log,
        "fine": True,
    }
    return {"gpus": gpus, "cause": next(cause for cause, holds in table.items() if holds)}
