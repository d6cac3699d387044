# exercise: trace
# score:    5/5
# why:      milliseconds before the differences
def read_trace(record, rows):
    """What a step's trace says about its speed.

    Args:
        record: bytes, a serialized RunMetadata. rows: int, rows of a step.
    Returns:
        dict: "step", "link", "exposed" in milliseconds, "computing" {"CPU:0": milliseconds},
            "rows_per_second".
    """
    metadata = tf.compat.v1.RunMetadata.FromString(record)
    computing, link = {}, []
    for entry in metadata.step_stats.dev_stats:
        name = ":".join(entry.device.split(":")[-2:])
        for op in entry.node_stats:
            begin = op.all_start_micros / 1000
            span = (begin, begin + op.all_end_rel_micros / 1000)
            if op.node_name.startswith("send"):
                link.append(span)
            elif not op.node_name.startswith("_"):
                computing.setdefault(name, []).append(span)

    def covered(spans):
        total, until = 0, 0
        for begin, end in sorted(spans):
            total += max(0, end - max(begin, until))
            until = max(until, end)
        return total

    work = [span for spans in computing.values() for span in spans]
    every = work + link
    step = (max(end for _, end in every) - min(begin for begin, _ in every))
    return {
        "step": step,
        "computing": {name: covered(spans) for name, spans in computing.items()},
        "link": covered(link),
        "exposed": covered(every) - covered(work),
        "rows_per_second": rows / step * 1000,
    }
