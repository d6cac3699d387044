# exercise: config
# score:    9/9
# why:      a generator of faults, and ports by counting
import collections
import json

def configs(jobs, hosts, port):
    count, cluster, rows = 0, collections.defaultdict(list), []
    for job, number in jobs.items():
        for index in range(number):
            rounds, which = divmod(count, len(hosts))
            cluster[job].append("%s:%d" % (hosts[which], port + rounds))
            rows.append([hosts[which], {"type": job, "index": index}])
            count += 1
    for row in rows:
        row[1] = json.dumps({"cluster": cluster, "task": row[1]})
    return rows


def fault_of(config, before):
    cluster, task = config["cluster"], config.get("task", {})
    known = cluster.get(task.get("type"), [])
    if task.get("index") not in range(len(known)):
        return "no such task"
    counts = collections.Counter(address for known in cluster.values() for address in known)
    if max(counts.values()) > 1:
        return "same address"
    if before and before[0]["cluster"] != cluster:
        return "other cluster"
    return "same task" if any(other.get("task") == task for other in before) else None


def faults(texts):
    readable, answer = [], []
    for i, text in enumerate(texts):
        try:
            config = json.loads(text)
        except ValueError:
            answer.append([i, "no JSON"])
        else:
            word = fault_of(config, readable)
            readable.append(config)
            if word is not None:
                answer.append([i, word])
    return answer
