# exercise: launch
# score:    8/9
# breaks:   9
# fails:    launch-argv: neutral
# why:      the program's name stands before its two arguments
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": ["python3", "look.py", f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
