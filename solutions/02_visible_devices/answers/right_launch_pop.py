# exercise: launch
# score:    9/9
# why:      a list of free cards from which workers take the first
def launch_plan(hosts, ps, workers):
    free = []
    for name, count in hosts:
        free.extend((name, card) for card in range(count))
    plan = []
    for job, number in (("ps", ps), ("worker", workers)):
        for index in range(number):
            entry = {"argv": [f"--job_name={job}", f"--task_index={index}"]}
            if job == "ps":
                entry["host"], mask, device = hosts[index % len(hosts)][0], "NoDevFiles", "CPU:0"
            else:
                if not free:
                    raise ValueError("no card is left")
                entry["host"], card = free.pop(0)
                mask, device = f"{card}", "GPU:0"
            entry["env"] = {"CUDA_VISIBLE_DEVICES": mask}
            entry["pin"] = f"/job:{job}/task:{index}/device:{device}"
            plan.append(entry)
    return plan
