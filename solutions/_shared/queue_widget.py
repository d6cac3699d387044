#@title Who waits? (run this; open it to see how it works)
# A producer, a queue and a consumer, at the speeds that you choose; the queue's length is drawn while they work.
import contextlib, threading, time
import ipywidgets as widgets
import tensorflow as tf
from solutions._shared.queue_lengths import draw_lengths, watched

def put_and_take(capacity, put_each, take_each, seconds, drawn=lambda record: None):
    """Run both sides in threads for some seconds; return (record of the length, elements taken).

    put_each and take_each are seconds of work for one element; drawn(record) is called four times a second."""
    v1, done, counts = tf.compat.v1, threading.Event(), {"put": 0, "take": 0}
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(capacity, tf.float32, shapes=[()])
        ops = {"put": (queue.enqueue(1.), put_each), "take": (queue.dequeue(), take_each)}
        size, stop = queue.size(), queue.close(cancel_pending_enqueues=True)
    with v1.Session(graph=graph) as session:
        def work(side):
            op, pause = ops[side]
            with contextlib.suppress(tf.errors.CancelledError, tf.errors.OutOfRangeError):  # the queue was closed
                while not done.is_set():
                    session.run(op)
                    counts[side] += 1
                    done.wait(pause)

        sides = [threading.Thread(target=work, args=(side,), daemon=True) for side in ops]
        try:
            with watched(session, {"queue": size}) as record:
                [side.start() for side in sides]
                end = time.monotonic() + seconds
                while time.monotonic() < end:
                    time.sleep(0.25)
                    drawn(record[:])
        finally:
            done.set(), session.run(stop)
            [side.join() for side in sides]
    return record, counts["take"]

def who_waits(seconds=4):
    """Show the widget. Nothing that it makes is used anywhere else."""
    look = {"style": {"description_width": "230px"}, "layout": {"width": "540px"}}
    choose = lambda text, value, low, high: widgets.IntSlider(value=value, min=low, max=high, description=text, **look)
    capacity = choose("capacity (elements)", 6, 1, 12)
    puts, takes = choose("producer (elements per second)", 20, 1, 40), choose("consumer (elements per second)", 10, 1, 40)
    button, shown = widgets.Button(description="Run", button_style="primary"), widgets.Output()

    def run(_):
        def draw(record):
            shown.clear_output(wait=True)
            with shown:
                draw_lengths(record, capacity.value, "Length of the queue", until=seconds)

        button.disabled = True
        try:
            record, taken = put_and_take(capacity.value, 1 / puts.value, 1 / takes.value, seconds, draw)
            draw(record)
        finally:  # also after an error: to be pressed again
            button.disabled = False
        with shown:
            print(f"The consumer took {taken} elements in {seconds} seconds.")

    button.on_click(run)
    return widgets.VBox([capacity, puts, takes, button, shown])
