"""The shared cells that run a graph, read its placement, and draw it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from autograder.paths import Course

from .shared_cells import run_cells

STEPS = [k / 40 for k in range(1, 40)]


@pytest.fixture(scope="module")
def cells(course: Course) -> SimpleNamespace:
    return SimpleNamespace(**run_cells(course, "placement_picture"))


@pytest.fixture
def drawn(cells, monkeypatch):
    """``drawn(metadata, title)``: the figure that a drawing cell shows, and the words that it shows with it."""

    def draw(metadata, title=""):
        shown = []
        with monkeypatch.context() as patch:
            patch.setitem(cells.draw_placement.__globals__, "show", lambda *given: shown.extend(given))
            cells.draw_placement(metadata, title)
        return shown

    return draw


def two_device_sum(tf):
    with tf.Graph().as_default() as graph:
        products = []
        for device in ("/device:CPU:1", "/device:CPU:2"):
            with tf.device(device):
                a = tf.constant([[1.0, 2], [3, 4]], name="a")
                products.append(tf.matmul(a, a, name="product"))
        with tf.device("/device:CPU:0"):
            tf.add_n(products, name="total")
    return graph


def test_device_names_are_short_and_keep_a_foreign_job(cells):
    assert cells.short_device("/job:localhost/replica:0/task:0/device:CPU:1") == "CPU:1"
    assert cells.short_device("/device:GPU:12") == "GPU:12"
    assert cells.short_device("/job:worker/replica:0/task:2/device:CPU:0") == "worker/2 CPU:0"


def test_a_run_keeps_its_ops_and_shows_where_they_were(cells):
    value, metadata = cells.run_and_trace(two_device_sum(cells.tf), "total:0")
    assert value.tolist() == [[14, 20], [30, 44]]
    placed = cells.placement_of(metadata)
    assert placed == {
        "a": "CPU:1", "product": "CPU:1", "a_1": "CPU:2", "product_1": "CPU:2", "total": "CPU:0",
    }  # fmt: skip
    assert cells.transfers_of(metadata) == [("product", "CPU:1", "CPU:0"), ("product_1", "CPU:2", "CPU:0")]


def test_equal_ops_are_not_merged(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        x = tf.constant([[1.0]], name="x")
        tf.add_n([tf.matmul(x, x, name="one"), tf.matmul(x, x, name="two")], name="total")
    _, metadata = cells.run_and_trace(graph, "total:0")
    assert {"one", "two"} <= set(cells.placement_of(metadata))


def test_variables_are_assigned_and_fed_values_keep_their_names(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        x = tf.compat.v1.placeholder(tf.float32, [], name="x")
        with tf.device("/device:CPU:3"):
            w = tf.compat.v1.get_variable("w", initializer=3.0)
            tf.multiply(x, w, name="y")
    value, metadata = cells.run_and_trace(graph, "y:0", {"x:0": 2.0})
    assert value == 6
    assert cells.placement_of(metadata)["w"] == "CPU:3"
    assert cells.placement_in_words(metadata) == (
        "In words: CPU:0 runs no op; CPU:3 runs w, y (read), y.\n"
        "Transfers: x from CPU:0 to CPU:3; y from CPU:3 to CPU:0."
    )


def test_soft_placement_is_a_choice(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:9"):
        tf.add(1.0, 2.0, name="y")
    assert cells.placement_of(cells.run_and_trace(graph, "y:0", soft=True)[1])["y"] == "CPU:0"
    with pytest.raises(tf.errors.InvalidArgumentError, match="CPU:9"):
        cells.run_and_trace(graph, "y:0")
    with tf.Graph().as_default() as graph, tf.device("/device:CPU:5"):
        tf.add(1.0, 2.0, name="y")
    assert cells.placement_of(cells.run_and_trace(graph, "y:0", cpus=6)[1])["y"] == "CPU:5"


def test_an_op_stands_right_of_what_it_reads_in_its_own_lane(cells):
    _, metadata = cells.run_and_trace(two_device_sum(cells.tf), "total:0")
    shown, reads = cells.picture_parts(metadata)
    place, lanes = cells.layout(shown, reads)
    assert set(place) == set(shown) and len(set(place.values())) == len(place)
    assert list(lanes) == ["CPU:0", "CPU:1", "CPU:2"]
    for name, node in shown.items():
        top, height = lanes[cells.short_device(node.device)]
        assert top < place[name][1] < top + height
        assert all(place[source][0] < place[name][0] for source in reads[name])


def three_layers(tf):
    with tf.Graph().as_default() as graph:
        x = h = tf.compat.v1.placeholder(tf.float32, [1, 2], name="x")
        for i in (1, 2, 3):
            with tf.device(f"/device:CPU:{i}"):
                w = tf.compat.v1.get_variable(f"w{i}", initializer=[[1.0, float(i)], [0.0, 1.0]])
                h = tf.matmul(h, w, name=f"layer{i}")
    return graph, h, {x: [[1.0, 1.0]]}


def products(tf, count, matrix):
    """`count` products, dealt out to CPU:1 and CPU:2, and their sum on CPU:0."""
    with tf.Graph().as_default() as graph:
        made = []
        for i in range(count):
            with tf.device(f"/device:CPU:{i % 2 + 1}"):
                made.append(tf.matmul(tf.constant([[1.0, 2.0], [3.0, 4.0]]), matrix(i + 1.0)))
        with tf.device("/device:CPU:0"):
            total = tf.add_n(made)
    return graph, total, None


def shared_value(tf):
    """A value that two ops of another device read, one of them through the other."""
    with tf.Graph().as_default() as graph:
        with tf.device("/device:CPU:1"):
            value = tf.identity([[1.0, 2.0], [0.0, 1.0]])
        with tf.device("/device:CPU:2"):
            output = tf.add(tf.matmul(value, value), value)
    return graph, output, None


GRAPHS = {
    "layers": three_layers,
    "products": lambda tf: products(tf, 3, lambda i: tf.constant([[i, 0.0], [0.0, i]])),
    "eye": lambda tf: products(tf, 3, lambda i: i * tf.eye(2)),
    "shared": shared_value,
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_no_arrow_crosses_a_box_that_it_does_not_belong_to(cells, drawn, kind):
    page = drawn(cells.run_and_trace(*GRAPHS[kind](cells.tf))[1])[0]
    FigureCanvasAgg(page).draw()
    texts = page.axes[0].texts
    boxes = [text for text in texts if text.get_text() and text.get_weight() != "bold"]
    arrows = [text for text in texts if getattr(text, "arrow_patch", None)]
    assert len(boxes) > 4 and len(arrows) > 4
    taken = [(box.get_text(), box.get_bbox_patch().get_window_extent()) for box in boxes]
    crossed = []
    for arrow in arrows:
        [line, *_], _ = arrow.arrow_patch._get_path_in_displaycoord()
        corners = line.to_polygons(closed_only=False)[0]
        ways = [corners[k] + (corners[k + 1] - corners[k]) * t for k in range(len(corners) - 1) for t in STEPS]
        crossed += [text for text, room in taken for x, y in ways if room.contains(x, y)]
    assert crossed == []


def test_a_transfer_arrives_next_to_where_it_was_sent(cells):
    for make in GRAPHS.values():
        shown, reads = cells.picture_parts(cells.run_and_trace(*make(cells.tf))[1])
        place, _ = cells.layout(shown, reads)
        arrived = [name for name, node in shown.items() if node.op == "_Recv"]
        assert arrived
        assert all(place[name][0] == place[reads[name][0]][0] + 1 for name in arrived)


def test_a_large_graph_makes_no_picture_to_scroll(cells, drawn):
    metadata = cells.run_and_trace(*products(cells.tf, 6, lambda i: i * cells.tf.eye(2)))[1]
    width, height = drawn(metadata)[0].get_size_inches()
    assert width <= 11 and height <= 9


def test_several_reads_of_one_variable_have_names_of_their_own(cells):
    assert [cells.plain_name(f"y/ReadVariableOp{end}") for end in ("", "_1", "_2")] == [
        "y (read)",
        "y (read 2)",
        "y (read 3)",
    ]


def test_a_graph_with_a_loop_still_has_a_layout(cells):
    tf = cells.tf
    with tf.Graph().as_default() as graph:
        tf.compat.v1.disable_control_flow_v2()
        try:
            y = tf.compat.v1.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
        finally:
            tf.compat.v1.enable_control_flow_v2()
    value, metadata = cells.run_and_trace(graph, y)
    place, _ = cells.layout(*cells.picture_parts(metadata))
    assert value == 3 and len(place) > 3


def test_the_picture_tells_devices_apart_without_color(cells, drawn):
    _, metadata = cells.run_and_trace(two_device_sum(cells.tf), "total:0")
    [axes] = drawn(metadata, "A sum")[0].axes
    assert axes.get_title() == "A sum"
    hatches = [patch.get_hatch() or "" for patch in axes.patches if patch.get_linewidth() == 2]
    assert len(hatches) == 3 == len(set(hatches))
    texts = [text.get_text() for text in axes.texts]
    assert {"CPU:0", "CPU:1", "CPU:2", "total\nAddN"} <= set(texts)
    arrows = [text.arrow_patch for text in axes.texts if getattr(text, "arrow_patch", None)]
    assert sum(arrow.get_linestyle() == "--" for arrow in arrows) == 2
    assert {"received:\nproduct", "received:\nproduct_1", "fetched:\ntotal"} & set(texts) == {
        "received:\nproduct",
        "received:\nproduct_1",
    }


def test_the_picture_is_shown_and_said_in_words(cells, drawn, capsys):
    _, metadata = cells.run_and_trace(two_device_sum(cells.tf), "total:0")
    _, shown = drawn(metadata, "A sum")
    words = cells.placement_in_words(metadata)
    assert shown == f"Placement, A sum. {words}"
    assert capsys.readouterr().out == words + "\n"


def test_a_device_keeps_its_look_from_picture_to_picture(cells, drawn):
    tf = cells.tf
    looks = []
    for devices in ("12", "2"):
        with tf.Graph().as_default() as graph:
            for device in devices:
                with tf.device(f"/device:CPU:{device}"):
                    y = tf.add(1.0, 2.0, name=f"y{device}")
            tf.identity(y, name="z")
        page = drawn(cells.run_and_trace(graph, "y2:0")[1])[0]
        frames = [patch for patch in page.axes[0].patches if patch.get_linewidth() == 2]
        looks.append((frames[-1].get_hatch(), frames[-1].get_edgecolor()))
    assert looks[0] == looks[1]


def test_a_function_is_traced_with_its_variables_and_its_pins(cells):
    tf = cells.tf
    devices = tf.config.list_logical_devices("CPU")
    with tf.device("CPU:0"):
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")

    @tf.function
    def double(x):
        return tf.add(tf.matmul(x, w, name="left"), x, name="total")

    for _ in range(2):  # a record of one run has nothing of an earlier one
        value, metadata = cells.trace_function(double, tf.ones([2, 2]))
        assert value.numpy().tolist() == [[5, 7], [5, 7]] and devices
        placed = cells.placement_of(metadata)
        assert placed == dict.fromkeys(["w", "left/ReadVariableOp", "left", "total"], "CPU:0")
        shown, reads = cells.picture_parts(metadata)
        assert cells.kind_of(shown["w"]) == "(variable)" and cells.kind_of(shown["left"]) == "MatMul"
        assert reads["total"] == ["left", "x"] and cells.kind_of(shown["x"]) == "(argument)"


def test_a_run_that_fails_leaves_nothing_in_the_next_record(cells):
    tf = cells.tf

    @tf.function
    def fails(x):
        return tf.linalg.inv(x, name="inverse")

    with pytest.raises(tf.errors.InvalidArgumentError):
        cells.trace_function(fails, tf.zeros([2, 2]))
    _, metadata = cells.trace_function(tf.function(lambda x: tf.add(x, x, name="twice")), tf.ones([2]))
    assert set(cells.placement_of(metadata)) == {"twice"}
    assert not tf.config.optimizer.get_experimental_options().get("disable_meta_optimizer")


def test_names_are_those_that_the_reader_knows(cells):
    assert cells.plain_name("_arg_x_0_0") == "x"
    assert cells.plain_name("sequential_1_1/first_1/MatMul") == "first_1/MatMul"
    assert cells.plain_name("functional_3/second/Cast/ReadVariableOp") == "second/Cast (read)"
    assert cells.plain_name("tower_0/MatMul") == "tower_0/MatMul"
