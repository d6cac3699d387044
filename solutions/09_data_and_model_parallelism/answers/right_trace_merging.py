# exercise: trace
# score:    5/5
# why:      merges spans, then intersects
def merged(spans):
    found = []
    for a, b in sorted(spans):
        if found and a <= found[-1][1]:
            found[-1] = (found[-1][0], max(b, found[-1][1]))
        else:
            found.append((a, b))
    return found

def length(spans):
    return sum(b - a for a, b in merged(spans)) / 1000

def read_trace(record, rows):
    stats = tf.compat.v1.RunMetadata.FromString(record).step_stats
    ops = [(re.sub(r".*device:", "", d.device), o.node_name, (o.all_start_micros, o.all_start_micros + o.all_end_rel_micros))
           for d in stats.dev_stats for o in d.node_stats if not o.node_name.startswith("_")]
    sends = merged(span for _, name, span in ops if name[:4] == "send")
    work = [(device, span) for device, name, span in ops if name[:4] != "send"]
    hidden = 0
    for a, b in merged(span for _, span in work):
        for c, d in sends:
            hidden += max(0, min(b, d) - max(a, c))
    first = min(span[0] for *_, span in ops)
    last = max(span[1] for *_, span in ops)
    answer = {"step": (last - first) / 1000, "link": length(sends), "exposed": length(sends) - hidden / 1000}
    answer["computing"] = {device: length(s for d, s in work if d == device) for device in {d for d, _ in work}}
    answer["rows_per_second"] = rows / answer["step"] * 1000
    return answer
