# exercise: host_cards
# score:    6/6
# why:      uses a function for the mask, as exercise 1 does
def numbers_behind(mask, count):
    if mask is None:
        return list(range(count))
    numbers = []
    for entry in mask.split(","):
        if entry.strip() not in {str(number) for number in range(count)}:
            break
        numbers.append(int(entry))
    return numbers

def host_cards(place, environment, listed):
    values = {}
    for line in environment.splitlines():
        name, _, value = line.partition("=")
        values[name] = value
    uuids = []
    for line in listed.splitlines():
        if line.startswith("GPU "):
            uuids.append(line[line.index("(UUID: ") + 7 : line.rindex(")")])
    if place == "container":
        choice = values.get("NVIDIA_VISIBLE_DEVICES", "none")
    elif place == "slurm":
        choice = values.get("SLURM_JOB_GPUS", "none")
    else:
        choice = "all"
    if choice != "all":
        named = {entry.strip() for entry in choice.split(",")}
        uuids = [uuid for i, uuid in enumerate(uuids) if f"{i}" in named or uuid in named]
    return [uuids[i] for i in numbers_behind(values.get("CUDA_VISIBLE_DEVICES"), len(uuids))]
