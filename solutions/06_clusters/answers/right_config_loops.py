# exercise: config
# score:    9/9
# why:      plain json, loops
import json

def configs(jobs, hosts, port):
    free = {host: port for host in hosts}
    turn = 0
    cluster = {}
    rows = []
    for job in jobs:
        cluster[job] = []
        for index in range(jobs[job]):
            host = hosts[turn]
            turn = (turn + 1) % len(hosts)
            cluster[job] += [host + ":" + str(free[host])]
            free[host] += 1
            rows.append((host, job, index))
    result = []
    for host, job, index in rows:
        text = json.dumps({"task": {"index": index, "type": job}, "cluster": cluster}, indent=2)
        result.append((host, text))
    return result


def faults(texts):
    result = []
    known = None
    before = set()
    for place in range(len(texts)):
        try:
            config = json.loads(texts[place])
        except ValueError:
            result.append((place, "no JSON"))
            continue
        cluster = config.get("cluster", {})
        me = config.get("task", {})
        name = (me.get("type"), me.get("index"))
        if known is None:
            known = cluster
        every = sum(cluster.values(), [])
        word = None
        if name in before:
            word = "same task"
        if cluster != known:
            word = "other cluster"
        if any(every.count(address) > 1 for address in every):
            word = "same address"
        if name[0] not in cluster or not 0 <= name[1] < len(cluster[name[0]]):
            word = "no such task"
        if word:
            result.append((place, word))
        before.add(name)
    return result
