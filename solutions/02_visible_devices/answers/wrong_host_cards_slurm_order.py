# exercise: host_cards
# score:    4/6
# breaks:   10
# fails:    host_cards-choices: a job's cards are numbered in the host's order
# why:      a Slurm job's cards keep the order of the choice
def host_cards(place, environment, listed):
    variables = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    lines = [line for line in listed.splitlines() if "UUID: " in line]
    cards = [line.split("UUID: ")[1].rstrip(") ") for line in lines]
    if place == "container":
        chosen = variables.get("NVIDIA_VISIBLE_DEVICES", "")
        if chosen != "all":
            wanted = [entry.strip() for entry in chosen.split(",")]
            cards = [uuid for number, uuid in enumerate(cards) if str(number) in wanted or uuid in wanted]
    elif place == "slurm":
        chosen = variables.get("SLURM_JOB_GPUS", "")
        cards = [cards[int(entry)] for entry in chosen.split(",") if entry]
    mask = variables.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return cards
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
