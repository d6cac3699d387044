# exercise: host_cards
# score:    6/6
# why:      uses the answer to exercise 1
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
    return [uuids[i] for i in visible(values.get("CUDA_VISIBLE_DEVICES"), uuids)]
