# exercise: trace
# score:    5/5
# why:      walks over begins and ends with counters
import collections

def read_trace(record, rows):
    metadata = tf.compat.v1.RunMetadata.FromString(record)
    events = []
    for entry in metadata.step_stats.dev_stats:
        kind, number = entry.device.rsplit(":", 2)[1:]
        for op in entry.node_stats:
            if op.node_name.startswith("_"):
                continue
            who = "link" if op.node_name.startswith("send") else f"{kind}:{number}"
            events.append((op.all_start_micros, 1, who))
            events.append((op.all_start_micros + op.all_end_rel_micros, -1, who))
    events.sort()
    running, time_of, alone = collections.Counter(), collections.Counter(), 0
    before = events[0][0]
    for moment, change, who in events:
        active = [name for name, count in running.items() if count > 0]
        for name in active:
            time_of[name] += moment - before
        alone += (moment - before) * (active == ["link"])
        running[who] += change
        before = moment
    step = (events[-1][0] - events[0][0]) / 1000
    link = time_of.pop("link", 0) / 1000
    computing = {name: micros / 1000 for name, micros in time_of.items()}
    return dict(step=step, computing=computing, link=link, exposed=alone / 1000, rows_per_second=1000 * rows / step)
