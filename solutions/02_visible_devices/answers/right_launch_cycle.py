# exercise: launch
# score:    9/9
# why:      cycle, a counter for each job, and -1 as the mask that shows no card
import itertools

def launch_plan(hosts, ps, workers):
    places = [("ps", name, "-1", "CPU") for name, _ in itertools.islice(itertools.cycle(hosts), ps)]
    free = [("worker", name, f"{card}", "GPU") for name, cards in hosts for card in range(cards)]
    if len(free) < workers:
        raise ValueError(f"only {len(free)} cards")
    plan, used = [], {"ps": 0, "worker": 0}
    for job, host, mask, kind in places + free[:workers]:
        index, used[job] = used[job], used[job] + 1
        plan.append(dict(host=host, env=dict(CUDA_VISIBLE_DEVICES=mask),
                         argv=[f"--job_name={job}", f"--task_index={index}"],
                         pin=f"/job:{job}/task:{index}/device:{kind}:0"))
    return plan
