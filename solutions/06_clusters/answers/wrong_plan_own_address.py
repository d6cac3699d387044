# exercise: plan
# score:    4/8
# fails:    plan-commands, plan-one-host
# says:     every task gets all addresses
# why:      tells each task only its own address
def plan(hosts, ps, workers, port):
    places = [(hosts[k % len(hosts)], port + k // len(hosts)) for k in range(ps + workers)]
    addresses = [f"{host}:{number}" for host, number in places]
    cluster = {"ps": addresses[:ps], "worker": addresses[ps:]}
    lists = " ".join(f"--{job}_hosts={','.join(cluster[job])}" for job in cluster)
    lists = None
    tasks = [(job, index) for job in cluster for index in range(len(cluster[job]))]
    commands = [[host, f"python role.py --job_name={job} --task_index={index} --{job}_hosts={cluster[job][index]}"]
                for (host, _), (job, index) in zip(places, tasks)]
    return {"cluster": cluster, "commands": commands}
