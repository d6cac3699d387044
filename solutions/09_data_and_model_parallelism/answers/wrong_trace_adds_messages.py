# exercise: trace
# score:    2/5
# breaks:   6
# fails:    trace-overlap: the two messages overlap for a millisecond, which counts once
# fails:    trace-drawn: neutral
# why:      adds the durations of messages
def read_trace(record, rows):
    metadata = tf.compat.v1.RunMetadata.FromString(record)
    computing, link = {}, []
    for entry in metadata.step_stats.dev_stats:
        name = ":".join(entry.device.split(":")[-2:])
        for op in entry.node_stats:
            span = (op.all_start_micros, op.all_start_micros + op.all_end_rel_micros)
            if op.node_name.startswith("send"):
                link.append(span)
            elif not op.node_name.startswith("_"):
                computing.setdefault(name, []).append(span)

    def covered(spans):
        total, until = 0, 0
        for begin, end in sorted(spans):
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total / 1000

    work = [span for spans in computing.values() for span in spans]
    every = work + link
    step = (max(end for _, end in every) - min(begin for begin, _ in every)) / 1000
    return {
        "step": step,
        "computing": {name: covered(spans) for name, spans in computing.items()},
        "link": sum(b - a for a, b in link) / 1000,
        "exposed": covered(every) - covered(work),
        "rows_per_second": rows / step * 1000,
    }
