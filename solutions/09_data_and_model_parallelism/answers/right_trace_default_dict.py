# exercise: trace
# score:    5/5
# why:      marks each microsecond; the sums of devices are in a defaultdict
from collections import defaultdict


def read_trace(record, rows):
    stats = tf.compat.v1.RunMetadata.FromString(record).step_stats
    at_work = defaultdict(set)
    sending = set()
    for device in stats.dev_stats:
        for op in device.node_stats:
            if op.node_name.startswith("_"):
                continue
            micros = range(op.all_start_micros, op.all_start_micros + op.all_end_rel_micros)
            if op.node_name.startswith("send"):
                sending.update(micros)
            else:
                at_work[device.device.split("device:")[-1]].update(micros)
    computing = defaultdict(float)
    for name, micros in at_work.items():
        computing[name] += len(micros) / 1000
    busy = set().union(*at_work.values())
    ends = busy | sending
    step = (max(ends) + 1 - min(ends)) / 1000
    return {"step": step, "link": len(sending) / 1000, "exposed": len(sending - busy) / 1000,
            "computing": computing, "rows_per_second": 1000 * rows / step}
