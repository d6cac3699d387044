# exercise: diagnose
# score:    7/9
# breaks:   8
# fails:    diagnose-mask: No devices were found is text
# why:      takes any text of nvidia-smi for a list of cards
import re
def diagnose(log, mask, listed):
    gpus = re.findall(r"(?:Creating TensorFlow|Created) device.*name: (.*?), pci bus id: ([\w:.]+)", log)
    gpus = [list(g) for g in gpus]
    if "failed call to cuInit" in log.replace("Failed", "failed"):
        cause = "driver" if "NO_DEVICE" not in log else "mask" if listed else "no card"
    elif mask is not None and gpus and len(gpus) < mask.count(",") + 1: cause = "cut"
    elif "Visible devices" in log: cause = "late"
    elif "Cannot assign" in log: cause = "pin"
    else: cause = "fine"
    return {"gpus": gpus, "cause": cause}
