# exercise: host_cards
# score:    1/6
# breaks:   11
# fails:    host_cards-container: the mask counts behind the wall, not the host's cards
# fails:    host_cards-slurm: the mask was read as the host's numbers; the job has the cards 2 and 3, numbered 0 and 1
# fails:    host_cards-choices: neutral
# why:      applies the mask to the host's numbers
def host_cards(place, environment, listed):
    variables = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    cards = [line.split("UUID: ")[1].rstrip(") ") for line in listed.splitlines() if "UUID: " in line]
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    wanted = variables.get(name, "").split(",")
    there = [uuid for number, uuid in enumerate(cards)
             if not name or wanted == ["all"] or str(number) in wanted or uuid in wanted]
    mask = variables.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return there
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
