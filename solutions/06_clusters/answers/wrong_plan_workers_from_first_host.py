# exercise: plan
# score:    2/8
# fails:    plan-cluster, plan-commands, plan-many
# says:     begin with the first host again
# why:      the workers begin with the first host again
def plan(hosts, ps, workers, port):
    used, places = {}, []
    for count in (ps, workers):
        for k in range(count):
            host = hosts[k % len(hosts)]
            places.append((host, port + used.setdefault(host, 0)))
            used[host] += 1
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    commands = [[host, f"python role.py --job_name={job} --task_index={index} {lists}"]
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
