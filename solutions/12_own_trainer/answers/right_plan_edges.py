# exercise: plan
# score:    9/9
# why:      a queue is named by its two ends, too
def plan(tf_config, generation, lost=()):
    config = json.loads(tf_config)
    ring = [("chief", k) for k in range(len(config["cluster"].get("chief", [])))]
    ring += [("worker", k) for k in range(len(config["cluster"].get("worker", [])))]
    ring = [task for task in ring if "%s/%d" % task not in lost]
    n = len(ring)
    rank = ring.index((config["task"]["type"], config["task"]["index"]))
    before, me, after = (ring[k % n] for k in (rank - 1, rank, rank + 1))

    def edge(a, b):
        return "g{}:{}{}>{}{}".format(generation, *a, *b)

    return {
        "rank": rank, "n": n, "me": "/job:%s/task:%d" % me, "next": "/job:%s/task:%d" % after,
        "inbox": edge(before, me), "outbox": edge(me, after),
    }
