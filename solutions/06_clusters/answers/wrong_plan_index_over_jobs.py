# exercise: plan
# score:    4/8
# fails:    plan-commands, plan-one-host
# says:     each job counts its tasks from 0
# why:      the task index goes on from the ps to the workers
def plan(hosts, ps, workers, port):
    places = [(hosts[k % len(hosts)], port + k // len(hosts)) for k in range(ps + workers)]
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    tasks = [(job, number) for number, (job, _) in enumerate(tasks)]
    commands = [[host, f"python role.py --job_name={job} --task_index={index} {lists}"]
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
