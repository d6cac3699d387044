# exercise: host_cards
# score:    5/6
# fails:    host_cards-host: Python's last element
# why:      -1 gives the last card
import re

def host_cards(place, environment, listed):
    names = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    uuids = re.findall(r"^GPU \d+: .*\(UUID: ([^)]+)\)", listed, re.M)
    if place == "host":
        chosen = uuids
    elif place == "container":
        choice = names.get("NVIDIA_VISIBLE_DEVICES", "").strip()
        if choice == "all":
            chosen = uuids
        elif choice in ("", "none", "void"):
            chosen = []
        else:
            wanted = [entry.strip() for entry in choice.split(",")]
            chosen = [uuid for i, uuid in enumerate(uuids) if str(i) in wanted or uuid in wanted]
    else:
        wanted = [entry.strip() for entry in names.get("SLURM_JOB_GPUS", "").split(",")]
        chosen = [uuid for i, uuid in enumerate(uuids) if str(i) in wanted]
    mask = names.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return chosen
    seen = []
    for entry in mask.split(","):
        entry = entry.strip()
        if not entry or int(entry) >= len(chosen):
            break
        seen.append(chosen[int(entry)])
    return seen
