# exercise: launch
# score:    7/9
# breaks:   9
# fails:    launch-argv: a task index counts through the job, not anew on each host
# fails:    launch-pins: neutral
# why:      task indices begin anew on each host
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={mask or index}"],
             "pin": f"/job:{job}/task:{mask or index}/device:{device}"} for job, index, host, mask, device in places]
