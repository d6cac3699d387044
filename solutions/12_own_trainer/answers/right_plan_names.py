# exercise: plan
# score:    9/9
# why:      names of tasks, as text
def plan(tf_config, generation, lost=()):
    config = json.loads(tf_config)
    cluster, me = config["cluster"], config["task"]
    names = ["chief/0"] if "chief" in cluster else []
    names += [f"worker/{k}" for k, _ in enumerate(cluster["worker"])]
    names = [name for name in names if name not in set(lost)]
    mine = f"{me['type']}/{me['index']}"
    after = dict(zip(names, names[1:] + names[:1]))
    place = {name: "/job:" + name.replace("/", "/task:") for name in names}
    return dict(
        rank=names.index(mine), n=len(names), me=place[mine], next=place[after[mine]],
        inbox=f"{mine}@{generation}", outbox=f"{after[mine]}@{generation}",
    )
