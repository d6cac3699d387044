# exercise: diagnose
# score:    9/9
# why:      one pattern for each form of the line, and two functions
import re

OLD = re.compile(r"Creating TensorFlow device \(/(?:device:GPU|gpu):(\d+)\) -> \(device: \d+, name: (.+?), pci bus id: (.+?)\)")
NEW = re.compile(r"Created device \S*device:GPU:(\d+) with .*?name: (.+?), pci bus id: ([^,\s]+)")

def made_in(log):
    found = {}
    for pattern in (OLD, NEW):
        for number, name, bus in pattern.findall(log):
            found[int(number)] = [name, bus]
    return [found[number] for number in sorted(found)]

def cause_of(log, mask, listed, count):
    where = log.find("failed call to cuInit")
    if where >= 0:
        said = log[where:].splitlines()[0]
        if "CUDA_ERROR_NO_DEVICE" in said:
            return "mask" if listed.strip().startswith("GPU") else "no card"
        return "driver"
    if count and mask and count < len(mask.split(",")):
        return "cut"
    if "Visible devices cannot be modified after being initialized" in log:
        return "late"
    return "pin" if "Cannot assign a device for operation" in log else "fine"

def diagnose(log, mask, listed):
    gpus = made_in(log)
    return dict(cause=cause_of(log, mask, listed, len(gpus)), gpus=gpus)
