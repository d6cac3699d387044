# exercise: launch
# score:    7/9
# breaks:   3
# fails:    launch-hosts: a number in a ps's mask is a card
# why:      gives each ps the number of a card that the example's hosts do not have
def launch_plan(hosts, ps, workers):
    cards = [(n, str(i)) for n, c in hosts for i in range(c)]
    if workers > len(cards): raise ValueError("too many")
    plan = [("ps", i, hosts[i % len(hosts)][0], "2", "CPU:0") for i in range(ps)]
    plan += [("worker", i, *cards[i], "GPU:0") for i in range(workers)]
    return [{"host": h, "env": {"CUDA_VISIBLE_DEVICES": m}, "argv": [f"--job_name={j}", f"--task_index={i}"],
             "pin": f"/job:{j}/task:{i}/device:{d}"} for j, i, h, m, d in plan]
