# exercise: launch
# score:    8/9
# breaks:   11
# fails:    launch-pins: behind a mask of one card, that card is GPU:0, whatever its number on the host
# why:      pins to the card's number on the host, behind a mask of one card
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    if workers > len(cards):
        raise ValueError(f"{workers} workers need {workers} cards; the hosts have {len(cards)}")
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *cards[index], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device if job == 'ps' else 'GPU:' + mask}"} for job, index, host, mask, device in places]
