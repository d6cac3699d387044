# exercise: config
# score:    7/9
# breaks:   9
# fails:    config-read: a text without the entry task does not say whose it is
# why:      takes a text without a task for good
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
        first = first or cluster
        if task[0] and task not in [(job, index) for job in cluster for index in range(len(cluster[job]))]:
            found.append([position, "no such task"])
        elif len(set(addresses)) < len(addresses):
            found.append([position, "same address"])
        elif cluster != first:
            found.append([position, "other cluster"])
        elif task in seen:
            found.append([position, "same task"])
        seen.append(task)
    return found
