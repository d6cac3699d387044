# exercise: launch
# score:    9/10
# fails:    launch-full
# says:     two would share a card
# why:      begins with the first card again when all are taken
def launch_plan(hosts, ps, workers):
    cards = [(name, str(card)) for name, count in hosts for card in range(count)]
    places = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    places += [("worker", index, *(cards or [(hosts[0][0], '0')])[index % max(1, len(cards))], "GPU:0") for index in range(workers)]
    return [{"host": host,
             "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in places]
