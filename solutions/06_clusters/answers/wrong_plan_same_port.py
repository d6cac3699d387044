# exercise: plan
# score:    0/8
# fails:    plan-cluster, plan-commands, plan-many, plan-one-host
# says:     a port of its own
# why:      one port for all tasks of a host
def plan(hosts, ps, workers, port):
    places = [(hosts[k % len(hosts)], port) for k in range(ps + workers)]
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    commands = [[host, f"python role.py --job_name={job} --task_index={index} {lists}"]
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
