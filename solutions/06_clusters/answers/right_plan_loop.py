# exercise: plan
# score:    8/8
# why:      counts the ports of each host in a dict
def plan(hosts, ps, workers, port):
    used = {host: port for host in hosts}
    cluster, owners, turn = {"ps": [], "worker": []}, [], 0
    for job, count in (("ps", ps), ("worker", workers)):
        for index in range(count):
            host = hosts[turn % len(hosts)]
            cluster[job].append(f"{host}:{used[host]}")
            owners.append((host, job, index))
            used[host] += 1
            turn += 1
    flags = f"--ps_hosts={','.join(cluster['ps'])} --worker_hosts={','.join(cluster['worker'])}"
    commands = []
    for host, job, index in owners:
        commands.append([host, f"python role.py --job_name={job} --task_index={index} {flags}"])
    return {"cluster": cluster, "commands": commands}
