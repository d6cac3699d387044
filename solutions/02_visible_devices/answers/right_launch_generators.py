# exercise: launch
# score:    9/9
# why:      two generators, one for each job
def launch_plan(hosts, ps, workers):
    def servers():
        for index in range(ps):
            name, _ = hosts[index % len(hosts)]
            yield name, "", "ps", index, "CPU:0"

    def computing():
        index = 0
        for name, count in hosts:
            for card in range(min(count, workers - index)):
                yield name, str(card), "worker", index, "GPU:0"
                index += 1
        if index < workers:
            raise ValueError("too few cards")

    plan = []
    for host, mask, job, index, device in [*servers(), *computing()]:
        plan.append({"pin": f"/job:{job}/task:{index}/device:{device}", "host": host,
                     "argv": [f"--job_name={job}", f"--task_index={index}"],
                     "env": {"CUDA_VISIBLE_DEVICES": mask}})
    return plan
