# exercise: config
# score:    6/9
# breaks:   11
# fails:    config-faults: neutral
# why:      compares with the first text whose task there is, not with the first that can be read
import json

def configs(jobs, hosts, port):
    """Plan a cluster: who runs where, and each task's TF_CONFIG."""
    cluster, tasks = {}, []
    for job, count in jobs.items():
        cluster[job] = []
        for index in range(count):
            host = hosts[len(tasks) % len(hosts)]
            cluster[job].append(f"{host}:{port + len(tasks) // len(hosts)}")
            tasks.append([host, {"type": job, "index": index}])
    return [[host, json.dumps({"cluster": cluster, "task": task})] for host, task in tasks]

def faults(texts):
    """Find the processes of a cluster with a wrong TF_CONFIG."""
    found, first, seen = [], None, []
    for position, text in enumerate(texts):
        os.environ["TF_CONFIG"] = text
        try:
            resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
            cluster = resolver.cluster_spec().as_dict()
            task = (resolver.task_type, resolver.task_id)
        except json.JSONDecodeError:
            found.append([position, "no JSON"])
            continue
        finally:
            del os.environ["TF_CONFIG"]
        addresses = [address for job in cluster.values() for address in job]
        if task not in [(job, index) for job in cluster for index in range(len(cluster[job]))]:
            found.append([position, "no such task"])
        elif len(set(addresses)) < len(addresses):
            found.append([position, "same address"])
            first = first or cluster
        elif cluster != (first := first or cluster):
            found.append([position, "other cluster"])
        elif task in seen:
            found.append([position, "same task"])
        seen.append(task)
    return found
