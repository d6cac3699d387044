# exercise: trace
# score:    0/5
# breaks:   7
# fails:    trace-plain: all of the link's time is counted as exposed; back runs during two milliseconds of it
# fails:    trace-overlap: neutral
# fails:    trace-drawn: neutral
# why:      counts all of the link's time as exposed
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
        "link": covered(link),
        "exposed": covered(link),
        "rows_per_second": rows / step * 1000,
    }
