# exercise: plan
# score:    8/8
# why:      round after round over the hosts; pairs as tuples
import itertools

def plan(hosts, ps, workers, port):
    rounds = itertools.chain.from_iterable(([host, number] for host in hosts) for number in itertools.count(port))
    places = list(itertools.islice(rounds, ps + workers))
    every = ["%s:%d" % tuple(place) for place in places]
    jobs = ["ps"] * ps + ["worker"] * workers
    indices = [*range(ps), *range(workers)]
    end = " --ps_hosts=" + ",".join(every[:ps]) + " --worker_hosts=" + ",".join(every[ps:])
    commands = [(place[0], "python role.py --job_name=" + job + " --task_index=" + str(index) + end)
                for place, job, index in zip(places, jobs, indices)]
    return {"commands": commands, "cluster": dict(ps=every[:ps], worker=every[ps:])}
