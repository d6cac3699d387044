# exercise: config
# score:    9/9
# why:      NumPy-free tables, faults by dict of rules
import json, math

def configs(jobs, hosts, port):
    total = sum(jobs.values())
    ports = [port + k for k in range(math.ceil(total / len(hosts))) for _ in hosts][:total]
    names = (hosts * total)[:total]
    labels = [{"type": job, "index": i} for job in jobs for i in range(jobs[job])]
    cluster = {job: [] for job in jobs}
    for label, name, number in zip(labels, names, ports):
        cluster[label["type"]].append(f"{name}:{number}")
    return [[name, json.dumps({"cluster": cluster, "task": label})] for name, label in zip(names, labels)]


def faults(texts):
    parsed = []
    for text in texts:
        try:
            parsed.append(json.loads(text))
        except ValueError:
            parsed.append(None)
    readable = [config for config in parsed if config is not None]
    found = []
    for i, config in enumerate(parsed):
        if config is None:
            found.append([i, "no JSON"])
            continue
        cluster, task = config["cluster"], config.get("task")
        earlier = [other.get("task") for other in parsed[:i] if other is not None]
        rules = {
            "no such task": task is None or task["type"] not in cluster or task["index"] >= len(cluster[task["type"]]),
            "same address": len({a for v in cluster.values() for a in v}) != sum(map(len, cluster.values())),
            "other cluster": cluster != readable[0]["cluster"],
            "same task": task in earlier,
        }
        found += [[i, word] for word, broken in rules.items() if broken][:1]
    return found
