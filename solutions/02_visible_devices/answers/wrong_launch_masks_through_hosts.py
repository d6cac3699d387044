# exercise: launch
# score:    6/10
# fails:    launch-masks, launch-hosts
# says:     from 0 on each host
# why:      counts cards over all hosts
def launch_plan(hosts, ps, workers):
    names = [name for name, count in hosts for _ in range(count)]
    cards = [(name, str(i)) for i, name in enumerate(names)]
    if workers > len(cards):
        raise ValueError("more workers than cards")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
