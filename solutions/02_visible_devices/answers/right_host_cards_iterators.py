# exercise: host_cards
# score:    6/6
# why:      takewhile over the mask, and a set for the choice
from itertools import takewhile

def host_cards(place, environment, listed):
    env = dict(pair.split("=", maxsplit=1) for pair in environment.split("\n") if "=" in pair)
    every = [line.rpartition("UUID: ")[2].strip().removesuffix(")") for line in listed.strip().split("\n")]
    match place:
        case "host":
            chosen = set(every)
        case "container" | "slurm":
            text = env.get({"container": "NVIDIA_VISIBLE_DEVICES"}.get(place, "SLURM_JOB_GPUS"), "void")
            parts = set(text.split(","))
            chosen = set(every) if text == "all" else {u for i, u in enumerate(every) if parts & {str(i), u}}
    behind = {str(i): uuid for i, uuid in enumerate(u for u in every if u in chosen)}
    if "CUDA_VISIBLE_DEVICES" not in env:
        return list(behind.values())
    entries = [entry.strip() for entry in env["CUDA_VISIBLE_DEVICES"].split(",")]
    return [behind[entry] for entry in takewhile(behind.__contains__, entries)]
