# exercise: plan
# score:    4/8
# fails:    plan-commands, plan-one-host
# says:     not a list of pairs
# why:      commands without their hosts
def plan(hosts, ps, workers, port):
    places = [(hosts[k % len(hosts)], port + k // len(hosts)) for k in range(ps + workers)]
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    commands = [f"python role.py --job_name={job} --task_index={index} {lists}"
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
