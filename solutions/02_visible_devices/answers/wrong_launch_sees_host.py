# exercise: launch
# score:    5/9
# breaks:   5
# fails:    launch-masks: a worker sees all cards of its host, not just its own
# fails:    launch-hosts: neutral
# why:      a worker sees all cards of its host
def launch_plan(hosts, ps, workers):
    cards = [(name, ",".join(map(str, range(count)))) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
