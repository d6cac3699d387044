# exercise: host_cards
# score:    3/6
# breaks:   11
# fails:    host_cards-host: neutral
# fails:    host_cards-choices: neutral
# why:      an invalid entry of the mask is skipped
def host_cards(place, environment, listed):
    variables = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    cards = [line.split("UUID: ")[1].rstrip(") ") for line in listed.splitlines() if "UUID: " in line]
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    chosen = variables.get(name, "")
    if name and chosen != "all":
        wanted = [entry.strip() for entry in chosen.split(",")]
        cards = [uuid for number, uuid in enumerate(cards) if str(number) in wanted or uuid in wanted]
    mask = variables.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return cards
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            continue
        seen.append(cards[int(entry)])
    return seen
