# exercise: launch
# score:    8/9
# breaks:   9
# fails:    launch-pins: not in the order of its task indices, as numbers: 2 comes before 10
# why:      sorts the processes by their arguments as text
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    plan = []
    for index in range(ps):
        plan.append({"host": hosts[index % len(hosts)][0], "env": {"CUDA_VISIBLE_DEVICES": ""},
                     "argv": ["--job_name=ps", f"--task_index={index}"],
                     "pin": f"/job:ps/task:{index}/device:CPU:0"})
    for index in range(workers):
        host, card = cards[index]
        plan.append({"host": host, "env": {"CUDA_VISIBLE_DEVICES": card},
                     "argv": ["--job_name=worker", f"--task_index={index}"],
                     "pin": f"/job:worker/task:{index}/device:GPU:0"})
    return sorted(plan, key=lambda process: process["argv"])
