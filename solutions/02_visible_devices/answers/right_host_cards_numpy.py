# exercise: host_cards
# score:    6/6
# why:      NumPy's arrays of UUIDs: its texts are str, too
import numpy as np

def host_cards(place, environment, listed):
    values = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    cards = np.array([line.split("UUID: ")[1].rstrip(") ") for line in listed.splitlines() if "UUID: " in line])
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    if name and values.get(name) != "all":
        named = [entry.strip() for entry in values.get(name, "").split(",")]
        cards = cards[np.isin(cards, named) | np.isin(np.arange(len(cards)).astype(str), named)]
    if "CUDA_VISIBLE_DEVICES" not in values:
        return list(cards)
    seen = []
    for entry in values["CUDA_VISIBLE_DEVICES"].split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
