# exercise: diagnose
# score:    9/9
# why:      line by line, with split and find
def diagnose(log, mask, listed):
    gpus, failed = [], None
    for line in log.split("\n"):
        if "Creating TensorFlow device" in line or "Created device" in line:
            name = line.split("name: ")[-1].split(",")[0]
            bus = line.split("pci bus id: ")[1].split(",")[0].rstrip(")")
            gpus.append([name, bus])
        if "failed call to cuInit" in line and failed is None:
            failed = line
    listed_cards = sum(line.startswith("GPU ") for line in listed.splitlines())
    if failed:
        if "CUDA_ERROR_NO_DEVICE" not in failed:
            return {"gpus": gpus, "cause": "driver"}
        return {"gpus": gpus, "cause": "mask" if listed_cards else "no card"}
    if gpus and mask is not None and mask.count(",") + 1 > len(gpus):
        return {"gpus": gpus, "cause": "cut"}
    for words, cause in (("Visible devices cannot be modified", "late"), ("Cannot assign a device", "pin")):
        if words in log:
            return {"gpus": gpus, "cause": cause}
    return {"gpus": gpus, "cause": "fine"}
