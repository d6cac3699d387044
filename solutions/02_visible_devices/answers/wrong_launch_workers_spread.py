# exercise: launch
# score:    6/10
# fails:    launch-masks, launch-hosts
# says:     workers fill the first host's cards
# why:      workers are dealt out over the hosts, as the ps are
def launch_plan(hosts, ps, workers):
    if workers > sum(count for _, count in hosts):
        raise ValueError("more workers than cards")
    free = {name: list(range(count)) for name, count in hosts}
    plan = [("ps", index, hosts[index % len(hosts)][0], "", "CPU:0") for index in range(ps)]
    index = turn = 0
    while index < workers:
        name = hosts[turn % len(hosts)][0]
        if free[name]:
            plan.append(("worker", index, name, str(free[name].pop(0)), "GPU:0"))
            index += 1
        turn += 1
    return [{"host": host, "env": {"CUDA_VISIBLE_DEVICES": mask},
             "argv": [f"--job_name={job}", f"--task_index={index}"],
             "pin": f"/job:{job}/task:{index}/device:{device}"} for job, index, host, mask, device in plan]
