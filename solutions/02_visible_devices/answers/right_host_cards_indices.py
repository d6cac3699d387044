# exercise: host_cards
# score:    6/6
# why:      works with numbers of the host until the end
def host_cards(place, environment, listed):
    uuids = [part.split(")")[0] for part in listed.split("UUID: ")[1:]]
    lines = {line[: line.find("=")]: line[line.find("=") + 1 :] for line in environment.splitlines()}
    numbers = list(range(len(uuids)))
    wall = {"container": "NVIDIA_VISIBLE_DEVICES", "slurm": "SLURM_JOB_GPUS", "host": ""}[place]
    if wall and lines.get(wall) != "all":
        chosen = []
        for entry in lines.get(wall, "").split(","):
            entry = entry.strip()
            if entry in uuids:
                chosen.append(uuids.index(entry))
            elif entry.isdigit():
                chosen.append(int(entry))
        numbers = sorted(chosen)
    mask = lines.get("CUDA_VISIBLE_DEVICES")
    if mask is not None:
        kept = []
        for entry in mask.split(","):
            if entry.strip() not in [str(i) for i in range(len(numbers))]:
                break
            kept.append(numbers[int(entry)])
        numbers = kept
    return [uuids[number] for number in numbers]
