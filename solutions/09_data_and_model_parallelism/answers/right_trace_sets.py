# exercise: trace
# score:    5/5
# why:      counts microseconds in sets relative to the first op
def read_trace(record, rows):
    metadata = tf.compat.v1.RunMetadata.FromString(record)
    ops = []
    for entry in metadata.step_stats.dev_stats:
        name = tf.DeviceSpec.from_string(entry.device)
        for op in entry.node_stats:
            if not op.node_name.startswith("_"):
                begin = op.all_start_micros
                ops.append((f"{name.device_type}:{name.device_index}", op.node_name, range(begin, begin + op.all_end_rel_micros)))
    work, link = {}, set()
    for device, name, micros in ops:
        target = link if name.startswith("send") else work.setdefault(device, set())
        target.update(micros)
    every = set().union(*work.values())
    step = (max(m.stop for *_, m in ops) - min(m.start for *_, m in ops)) / 1000
    return {"step": step, "computing": {device: len(micros) / 1000 for device, micros in work.items()}, "link": len(link) / 1000,
            "exposed": len(link - every) / 1000, "rows_per_second": rows / (step / 1000)}
