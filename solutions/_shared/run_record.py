#@title Run record (run this; open it to see how it works)
# Runs a graph and reads out of TensorFlow's own record of that run which ops ran, when, and how many bytes were alive.
import tensorflow as tf


def run_recorded(graph, fetch, feed=None, threads=2, cpus=1):
    """Run op `init` if there is one, then `fetch`, on `threads` inter-op threads and `cpus` devices; (value, RunMetadata)."""
    v1 = tf.compat.v1
    config = v1.ConfigProto(device_count={"CPU": cpus, "GPU": 0}, use_per_session_threads=True)
    config.inter_op_parallelism_threads = threads
    config.graph_options.rewrite_options.disable_meta_optimizer = True  # run the graph as it is written:
    config.graph_options.optimizer_options.opt_level = -1               # fold and merge nothing
    options = v1.RunOptions(trace_level=v1.RunOptions.SOFTWARE_TRACE, output_partition_graphs=True)
    metadata = v1.RunMetadata()
    with v1.Session(graph=graph, config=config) as session:
        session.run([op for op in graph.get_operations() if op.name == "init"])
        return session.run(fetch, feed, options, metadata), metadata


def records_of(metadata):
    """The record of every op that ran, by the time it began; those that the runtime added (_SOURCE, _Send) are left out."""
    every = [record for device in metadata.step_stats.dev_stats for record in device.node_stats]
    return sorted((r for r in every if not r.node_name.startswith("_")), key=lambda r: r.all_start_micros)


def ran(metadata):
    """Names of the ops that ran, in the order in which they began."""
    return [record.node_name for record in records_of(metadata)]


def spans(metadata):
    """{op: (start, end)} in milliseconds since the run's first op began."""
    records = records_of(metadata)
    first = min((record.all_start_micros for record in records), default=0)
    return {r.node_name: ((r.all_start_micros - first) / 1000, (r.all_start_micros - first + max(r.all_end_rel_micros, 1)) / 1000)
            for r in records}


def overlap(metadata, a, b):
    """Milliseconds during which the ops `a` and `b` both worked; 0 if one had ended before the other began."""
    (start_a, end_a), (start_b, end_b) = (spans(metadata)[name] for name in (a, b))
    return max(0., min(end_a, end_b) - max(start_a, start_b))


def live_bytes(metadata):
    """[(ms, bytes alive)], one for each time that an op's memory was taken or given back."""
    records = records_of(metadata)
    first = min((record.all_start_micros for record in records), default=0)
    changes = sorted((entry.alloc_micros, entry.alloc_bytes) for record in records for memory in record.memory
                     for entry in memory.allocation_records)
    alive = [sum(size for _, size in changes[:n + 1]) for n in range(len(changes))]
    return [((moment - first) / 1000, size) for (moment, _), size in zip(changes, alive)]


def peak_bytes(metadata):
    """The most bytes that the run's ops had alive at one time."""
    return max((size for _, size in live_bytes(metadata)), default=0)
