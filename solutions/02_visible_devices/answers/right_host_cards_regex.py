# exercise: host_cards
# score:    6/6
# why:      regular expressions with anchors at the beginning of a line
import re

def host_cards(place, environment, listed):
    def value(name):
        found = re.search(rf"^{name}=(.*)$", environment, re.MULTILINE)
        return found and found[1]

    cards = dict(re.findall(r"^GPU (\d+): .*\(UUID: (.*)\)", listed, re.MULTILINE))
    if place != "host":
        choice = value("NVIDIA_VISIBLE_DEVICES" if place == "container" else "SLURM_JOB_GPUS") or ""
        if choice.strip() != "all":
            entries = re.split(r"\s*,\s*", choice.strip())
            cards = {number: uuid for number, uuid in cards.items() if {number, uuid} & set(entries)}
    there = list(cards.values())
    mask = value("CUDA_VISIBLE_DEVICES")
    if mask is None:
        return there
    result = []
    for entry in mask.split(","):
        try:
            number = int(entry)
        except ValueError:
            return result
        if not 0 <= number < len(there):
            return result
        result.append(there[number])
    return result
