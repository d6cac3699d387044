# exercise: launch
# score:    8/10
# fails:    launch-hosts
# says:     a host may have no card
# why:      asks each further host for its first card, and y has none
def launch_plan(hosts, ps, workers):
    firsts = [(name, range(count)[0]) for name, count in hosts[1:]]
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError("more workers than cards")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
