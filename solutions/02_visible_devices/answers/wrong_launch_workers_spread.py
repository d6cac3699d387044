# exercise: launch
# score:    5/9
# breaks:   4
# fails:    launch-masks: workers take all cards of the first host, then go on to the next host
# fails:    launch-hosts: neutral
# why:      workers are dealt out over the hosts, as the ps are
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for card in range(max(count for _, count in hosts)) for name, count in hosts if card < count]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
