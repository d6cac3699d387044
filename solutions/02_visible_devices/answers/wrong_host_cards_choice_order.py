# exercise: host_cards
# score:    2/6
# breaks:   10
# fails:    host_cards-container: card 3 was named first, but behind the wall cards have the host's order: 1, then 3
# fails:    host_cards-choices: the chosen cards are numbered in the host's order
# why:      keeps the order of the choice behind the wall
def host_cards(place, environment, listed):
    variables = dict(line.split("=", 1) for line in environment.splitlines() if "=" in line)
    cards = [line.split("UUID: ")[1].rstrip(") ") for line in listed.splitlines() if "UUID: " in line]
    name = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS"}.get(place)
    chosen = variables.get(name, "")
    if name and chosen != "all":
        wanted = [entry.strip() for entry in chosen.split(",")]
        cards = [uuid for entry in wanted for number, uuid in enumerate(cards) if entry in (str(number), uuid)]
    mask = variables.get("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return cards
    seen = []
    for entry in mask.split(","):
        if not entry.strip().isdigit() or int(entry) >= len(cards):
            break
        seen.append(cards[int(entry)])
    return seen
