# exercise: config
# score:    9/9
# why:      asks a ClusterSpec
import itertools
import json

def configs(jobs, hosts, port):
    places = ((host, number) for number in itertools.count(port) for host in hosts)
    tasks = [(job, index, *next(places)) for job, count in jobs.items() for index in range(count)]
    cluster = {job: [f"{h}:{p}" for j, _, h, p in tasks if j == job] for job in jobs}
    spec = tf.train.ClusterSpec(cluster)
    return [[host, json.dumps(dict(cluster=spec.as_dict(), task=dict(type=job, index=index)))]
            for job, index, host, _ in tasks]


def faults(texts):
    found, good = [], []
    for position, text in enumerate(texts):
        try:
            config = json.loads(text)
        except json.JSONDecodeError:
            found.append([position, "no JSON"])
            continue
        spec = tf.train.ClusterSpec(config["cluster"])
        task = config.get("task") or {"type": "", "index": 0}
        addresses = [at for job in spec.jobs for at in spec.job_tasks(job)]
        try:
            spec.task_address(task["type"], task["index"])
        except ValueError:
            found.append([position, "no such task"])
        else:
            if len(addresses) != len(set(addresses)):
                found.append([position, "same address"])
            elif good and good[0]["cluster"] != config["cluster"]:
                found.append([position, "other cluster"])
            elif task in [other.get("task") for other in good]:
                found.append([position, "same task"])
        good.append(config)
    return found
