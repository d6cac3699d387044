"""A producer, a queue and a consumer, at speeds that you choose; the length is drawn meanwhile."""

import contextlib
import threading
import time

import ipywidgets as widgets
import tensorflow as tf
from solutions._shared.queue_lengths import draw_lengths, watched


def put_and_take(capacity, put_each, take_each, seconds, drawn=None):
    """Run both sides in threads for some seconds; return (record of the length, elements taken).

    put_each and take_each are seconds of work for one element; drawn(record), if given, is called
    four times a second.
    """
    done = threading.Event()
    counts = {"put": 0, "take": 0}
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(capacity, tf.float32, shapes=[()])
        put = queue.enqueue(1.0)
        take = queue.dequeue()
        size = queue.size()
        stop = queue.close(cancel_pending_enqueues=True)

    def work(session, side, op, pause):
        closed = (tf.errors.CancelledError, tf.errors.OutOfRangeError)
        with contextlib.suppress(closed):
            while not done.is_set():
                session.run(op)
                counts[side] += 1
                done.wait(pause)

    with tf.compat.v1.Session(graph=graph) as session:
        producer = threading.Thread(target=work, args=(session, "put", put, put_each), daemon=True)
        consumer = threading.Thread(
            target=work, args=(session, "take", take, take_each), daemon=True
        )
        try:
            with watched(session, {"queue": size}) as record:
                producer.start()
                consumer.start()
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    time.sleep(0.25)
                    if drawn:
                        drawn(record[:])
        finally:
            done.set()
            session.run(stop)
            producer.join()
            consumer.join()
    return record, counts["take"]


def who_waits(seconds=4):
    """Show the widget. Nothing that it makes is used anywhere else."""

    def slider(text, value, high):
        return widgets.IntSlider(
            value=value,
            min=1,
            max=high,
            description=text,
            style={"description_width": "230px"},
            layout={"width": "540px"},
        )

    capacity = slider("capacity (elements)", 6, 12)
    puts = slider("producer (elements per second)", 20, 40)
    takes = slider("consumer (elements per second)", 10, 40)
    button = widgets.Button(description="Run", button_style="primary")
    shown = widgets.Output()

    def draw(record):
        shown.clear_output(wait=True)
        with shown:
            draw_lengths(record, capacity.value, "Length of the queue", until=seconds)

    def run(_):
        button.disabled = True
        try:
            record, taken = put_and_take(
                capacity.value, 1 / puts.value, 1 / takes.value, seconds, draw
            )
            draw(record)
        finally:  # also after an error: to be pressed again
            button.disabled = False
        with shown:
            print(f"The consumer took {taken} elements in {seconds} seconds.")

    button.on_click(run)
    return widgets.VBox([capacity, puts, takes, button, shown])
