"""Runs a graph and reads TensorFlow's record of it: which ops ran, when, and the bytes alive."""

import tensorflow as tf


def run_recorded(graph, fetch, feed=None, threads=2, cpus=1):
    """Run the op `init` if there is one, then `fetch`; return (value, RunMetadata).

    `threads` is the number of inter-op threads, `cpus` that of logical CPU devices. The graph
    optimiser is left as TensorFlow has it, so the record shows the graph that really ran.
    """
    v1 = tf.compat.v1
    config = v1.ConfigProto(
        device_count={"CPU": cpus, "GPU": 0},
        inter_op_parallelism_threads=threads,
        use_per_session_threads=True,
    )
    options = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE, output_partition_graphs=True)
    metadata = v1.RunMetadata()
    with v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.name == "init"])
        value = session.run(fetch, feed, options, metadata)
    return value, metadata


def records_of(metadata):
    """The record of every op that ran, by the time it began.

    Ops that the runtime added (_SOURCE, _Send, …) are left out.
    """
    records = []
    for device in metadata.step_stats.dev_stats:
        for record in device.node_stats:
            if not record.node_name.startswith("_"):
                records.append(record)
    return sorted(records, key=lambda record: record.all_start_micros)


def ran(metadata):
    """Names of the ops that ran, in the order in which they began."""
    return [record.node_name for record in records_of(metadata)]


def first_moment(records):
    """When the first op began, in microseconds; 0 if none ran."""
    return min((record.all_start_micros for record in records), default=0)


def spans(metadata):
    """{op: (start, end)} in milliseconds since the run's first op began."""
    records = records_of(metadata)
    first = first_moment(records)
    found = {}
    for record in records:
        start = record.all_start_micros - first
        end = start + max(record.all_end_rel_micros, 1)
        found[record.node_name] = (start / 1000, end / 1000)
    return found


def overlap(metadata, a, b):
    """Milliseconds during which the ops `a` and `b` both worked; 0 if they took turns."""
    start_a, end_a = spans(metadata)[a]
    start_b, end_b = spans(metadata)[b]
    return max(0.0, min(end_a, end_b) - max(start_a, start_b))


def live_bytes(metadata):
    """[(ms, bytes alive)], one for each time that an op's memory was taken or given back."""
    records = records_of(metadata)
    first = first_moment(records)
    changes = []
    for record in records:
        for memory in record.memory:
            for entry in memory.allocation_records:
                changes.append((entry.alloc_micros, entry.alloc_bytes))
    alive = 0
    found = []
    for moment, size in sorted(changes):
        alive += size
        found.append(((moment - first) / 1000, alive))
    return found


def peak_bytes(metadata):
    """The most bytes that the run's ops had alive at one time."""
    return max((size for _, size in live_bytes(metadata)), default=0)
