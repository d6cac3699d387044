# exercise: trace
# score:    5/5
# why:      marks each microsecond's boundary; NumPy
def read_trace(record, rows):
    trace = v1.RunMetadata()
    trace.ParseFromString(record)
    spans = []
    for device in trace.step_stats.dev_stats:
        for op in device.node_stats:
            if op.node_name[0] != "_":
                end = op.all_start_micros + op.all_end_rel_micros
                short = device.device.partition("device:")[2]
                spans.append(("link" if op.node_name.startswith("send") else short, op.all_start_micros, end))
    marks = sorted({moment for _, *span in spans for moment in span})
    total = {}
    exposed = 0
    for begin, end in zip(marks, marks[1:]):
        busy_now = {who for who, a, b in spans if a <= begin and end <= b}
        for who in busy_now:
            total[who] = total.get(who, 0) + end - begin
        if busy_now == {"link"}:
            exposed += end - begin
    step = marks[-1] - marks[0]
    link = total.pop("link", 0)
    return {"step": step / 1e3, "computing": {who: t / 1e3 for who, t in total.items()}, "link": link / 1e3,
            "exposed": exposed / 1e3, "rows_per_second": rows * 1e6 / step}
