# exercise: launch
# score:    9/9
# why:      loops over hosts and cards, with a counter
def launch_plan(hosts, ps, workers):
    if workers > sum(count for _, count in hosts):
        raise ValueError("more workers than cards")

    def process(host, mask, job, index, device):
        return {"host": host, "env": {"CUDA_VISIBLE_DEVICES": mask},
                "argv": ["--job_name=" + job, "--task_index=" + str(index)],
                "pin": "/job:%s/task:%d/device:%s:0" % (job, index, device)}

    plan = [process(hosts[i % len(hosts)][0], "", "ps", i, "CPU") for i in range(ps)]
    index = 0
    for name, count in hosts:
        for card in range(count):
            if index < workers:
                plan.append(process(name, str(card), "worker", index, "GPU"))
                index += 1
    return plan
