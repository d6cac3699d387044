# exercise: launch
# score:    7/9
# breaks:   1
# fails:    launch-hosts: ps take turns: first host, second, third, and the first again; a host without cards counts
# why:      deals the ps out over hosts that have cards
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, [name for name, count in hosts if count][index % len([1 for _, count in hosts if count])], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
