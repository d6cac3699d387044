# exercise: host_cards
# score:    5/6
# breaks:   2
# fails:    host_cards-host: only a line whose whole name is CUDA_VISIBLE_DEVICES sets the mask
# why:      looks for the variable's name anywhere in the text
import re

def host_cards(place, environment, listed):
    cards = re.findall(r"UUID: ([^)]+)", listed)
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    if name:
        found = re.search(name + "=(.*)", environment)
        wanted = found[1].split(",") if found else []
        if wanted != ["all"]:
            cards = [uuid for number, uuid in enumerate(cards) if str(number) in wanted or uuid in wanted]
    found = re.search("CUDA_VISIBLE_DEVICES=(.*)", environment)
    if not found:
        return cards
    seen = []
    for entry in found[1].split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
