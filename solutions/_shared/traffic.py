# @title Traffic (run this; open it to see how it works)
# Counts the bytes that moved between devices in a recorded run.
import matplotlib.figure
import tensorflow as tf
from solutions._shared.figures import PALETTE, show
from solutions._shared.placement_record import run_and_trace, transfers_of

TRAFFIC_LOOKS = [
    ("orange", "s", "--", "///"),
    ("green", "^", ":", "..."),
    ("blue", "o", "-", "xxx"),
]


def size_of(graph, name):
    """Bytes of the tensor that the record calls `name`."""
    tensor = graph.get_tensor_by_name(name if ":" in name else f"{name}:0")
    return tensor.shape.num_elements() * tensor.dtype.size


def moved(graph, metadata):
    """{"CPU:0 to CPU:1": bytes}, as recorded."""
    total = {}
    for name, source, target in transfers_of(metadata):
        way = f"{source} to {target}"
        total[way] = total.get(way, 0) + size_of(graph, name)
    return total


def gradients(n, size):
    """One gradient on each of n devices: `size` numbers, all 10 ** i."""
    made = []
    for i in range(n):
        with tf.device(f"/device:CPU:{i}"):
            made.append(tf.fill([size], 10.0**i, name=f"gradient{i}"))
    return made


def sent_by_each(all_reduce, n, size=1200):
    """[bytes that device i sent, for each i] in an all-reduce of gradients of `size` numbers,
    from its record.
    """
    with tf.Graph().as_default() as graph:
        sums = tf.nest.flatten(all_reduce(gradients(n, size)))
    values, _ = run_and_trace(graph, sums, cpus=n)
    if {value[0] for value in values} != {sum(10.0**i for i in range(n))}:
        raise ValueError(
            f"{all_reduce.__name__}: a gradient is missing in a sum, or is there twice"
        )
    _, metadata = run_and_trace(graph, [total.op for total in sums], cpus=n)  # fetch nothing
    links = moved(graph, metadata)
    names = [f"CPU:{i} " for i in range(n)]
    return [sum(size for way, size in links.items() if way.startswith(name)) for name in names]


def draw_traffic(all_reduces, counts=(2, 4, 8)):
    """Left: bytes sent by each of four devices. Right: bytes sent by the busiest one, for other
    numbers of devices.
    """
    figure = matplotlib.figure.Figure((8.6, 3.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    words = []
    for place, (all_reduce, (name, marker, line, hatch)) in enumerate(
        zip(all_reduces, TRAFFIC_LOOKS, strict=False)
    ):
        color = PALETTE[name]
        label = all_reduce.__name__
        sent = [size / 1000 for size in sent_by_each(all_reduce, 4)]
        where = [device + 0.27 * (place - 1) for device in range(4)]
        left.bar(where, sent, 0.27, fc=(color, 0.4), ec=color, hatch=hatch, label=label)
        busiest = [max(sent_by_each(all_reduce, n)) / 1000 for n in counts]
        right.plot(counts, busiest, line, color=color, marker=marker, label=label)
        words.append(f"{label} {', '.join(f'{kilobytes:g}' for kilobytes in busiest)}")
    left.set(xticks=range(4), xlabel="device", ylabel="sent (kilobytes)", title="Four devices")
    right.set(
        xticks=counts,
        xlabel="devices",
        ylabel="sent by the busiest (kilobytes)",
        title="More devices",
    )
    left.legend()
    right.legend()
    show(figure, f"Kilobytes sent by the busiest of {counts} devices: {'; '.join(words)}.")
