# exercise: launch
# score:    5/9
# breaks:   6
# fails:    launch-masks: a mask counts the cards of its own host, from 0 on each host
# fails:    launch-hosts: neutral
# why:      counts cards over all hosts
def launch_plan(hosts, ps, workers):
    names = [name for name, count in hosts for _ in range(count)]
    cards = [(name, str(i)) for i, name in enumerate(names)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
