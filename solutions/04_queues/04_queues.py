# %% [markdown] minutes=115 exercises=60 gives="bound every wait, know what a timeout loses, stop without loss, find a deadlock" after="01"
# # Lesson 04 · Queues with timeouts
#
# **A problem from work.** A shop asks three models, each on a machine of its own, whether an order is a fraud, and
# averages their answers. The customer waits at the checkout, so the answer must be there within half a second. One
# night the machine of the third model froze. It did not fail; it just did not answer any more. From then on no order
# got an answer at all, although two of three models were fine, and no program reported an error. In this lesson you
# build the client that answers in time, with or without the third model.
#
# After this lesson you can
#
# 1. join parts of a program that work at different speeds, and say who waits for whom;
# 2. put an end to every wait, and say what such an end loses and what it keeps;
# 3. stop such a program so that nothing is lost and nobody waits for ever, and find out why one hangs.
#
# **Hardware:** CPU only. What this lesson builds lives in the host's memory, so a GPU changes nothing here.

# %% include="quiet_start.py"

# %% include="checks.py predictions.py queue_lengths.py queue_widget.py model_processes.py queue_examples.py"

# %% [markdown]
# ## Sitting 1 · A queue, and waits with an end
#
# ![On the left two producers put elements into a queue with four places, of which three are taken; on the right a consumer takes the oldest element out. Below, three cases. Queue full: the producer waits, until a place is free, the queue is cancelled, or a timeout ends the wait. Queue empty: the consumer waits, until an element comes, the queue is closed, or a timeout ends the wait. In between: nobody waits.](assets/04_queue.svg)
#
# A **queue** joins sides that work at different speeds. A *producer* that puts into a *full* queue waits. A *consumer*
# that takes from an *empty* one waits. That is its use, and its danger: if the other side has died, the wait never ends.
# So this lesson is about waiting: how to bound it, and how to end it.
#
# ## 1 A queue between two sides
#
# A queue of the classic form is a part of a graph. This one holds up to 10 numbers, first in, first out:

# %% grading="skip"
import concurrent.futures
import os
import tempfile
import threading
import time

import psutil

v1 = tf.compat.v1

# %% grading="skip"
graph = tf.Graph()
with graph.as_default():
    queue = tf.queue.FIFOQueue(capacity=10, dtypes=tf.float32, shapes=[()], name="numbers")
    x = v1.placeholder(tf.float32, [], name="x")
    put = queue.enqueue(x)
    take_plus_one = queue.dequeue() + 1.
    size = queue.size()

# %% grading="skip"
session = v1.Session(graph=graph)
for number in (1, 2, 3):
    session.run(put, {x: number})
print("elements in the queue:", session.run(size))
print([float(session.run(take_plus_one)) for _ in range(3)])
print("elements in the queue:", session.run(size))

# %% [markdown]
# Each **run** of `take_plus_one` takes one element out, the oldest. The *graph* only describes the queue. The
# elements live in the **session**, as the values of variables do: another session of the same graph has an empty queue.
#
# ## 2 The fourth dequeue blocks
#
# You put three numbers in and took three out. What does a fourth `dequeue` do? It **blocks**: `session.run` does not
# return. Called in a cell, it would hang your notebook. Even the stop button would not help, since the wait is inside
# TensorFlow's C++ code: you would have to restart the kernel.
#
# So let another thread wait. `in_background` calls a function in a thread of its own. It returns a *future*, which
# later has the result. (The next cell also has `attempt`, `within` and `wait_until`; they come soon.)

# %% include="waiting.py" shown=True

# %% grading="skip"
fourth = in_background(session.run, take_plus_one)
time.sleep(0.5)
print("after half a second, has it returned?", fourth.done())
session.run(put, {x: 4})
print("after 4 was put, it has", fourth.result(timeout=20))

# %% [markdown]
# The thread slept in the queue, without using the processor, until an element came. `enqueue` into a full queue waits
# in the same way for a free place.
#
# ## 3 Two timeouts
#
# A **timeout** bounds a wait. There are two places for it: in the options of *one call*, or in the configuration of
# the *session*. `attempt` shows what a call gives, or its error in one line, and how long it took.

# %% grading="skip"
attempt(session.run, take_plus_one, options=within(1000), label="the call's timeout:    ")
config = v1.ConfigProto(operation_timeout_in_ms=1000)
with v1.Session(graph=graph, config=config) as bounded:
    attempt(bounded.run, take_plus_one, label="the session's timeout: ")

# %% [markdown]
# `DeadlineExceededError`: the time is over. (*Notification* is TensorFlow's word for "the run has ended".) Other
# systems have the same under other names: a *deadline* of a remote procedure call (an RPC; gRPC, which TensorFlow's
# servers speak, gives it in seconds), the `timeout` of `queue.Queue.get` in Python's own library.

# Where both are set, which one counts? The session says 500 ms:

# %% grading="skip"
config = v1.ConfigProto(operation_timeout_in_ms=500)
with v1.Session(graph=graph, config=config) as bounded:
    for milliseconds in (200, 900, 0):
        attempt(bounded.run, take_plus_one, options=within(milliseconds),
                label=f"the call says {milliseconds:3} ms: ")

# %% [markdown]
# And a negative number? It is a common bug: "the time that is left", computed a moment too late.

# %% grading="skip"
late = in_background(session.run, take_plus_one, options=within(-5))
time.sleep(1)
print("within(-5): after a second, has it returned?", late.done())
session.run(put, {x: 0})
print("after an element was put:", late.result(timeout=20))

# %% [markdown]
# | the timeout | `RunOptions(timeout_in_ms=…)` | `ConfigProto(operation_timeout_in_ms=…)` |
# | --- | --- | --- |
# | holds for | this call | every call of the session that brings no timeout of its own |
# | both are set | it counts, shorter or longer | counts only where the call says nothing, or 0 or less |
# | protects against | a wait that you foresee: a slow model, the end of a stream | a wait that you did *not* foresee: a forgotten call, a deadlock |
# | 0, or less | no timeout of this call | no timeout |
#
# If you compute "time that is left" and it becomes 0 or negative, you do not get a very short wait: you get an endless
# one, unless the session has a timeout. Write `max(1, left)`.
#
# ## 4 What a timeout loses, and what it keeps
#
# After an error one asks: what is broken now? First the good news.

# %% grading="skip"
attempt(session.run, take_plus_one, options=within(300))
session.run(put, {x: 5})
attempt(session.run, take_plus_one, options=within(5000))

# %% [markdown]
# The session lives. And the call that gave up is really gone: it was *cancelled*, so it did not steal the 5 later on.
#
# Now calls that move several elements. `dequeue_many(3)` wants three at once, and there are two:

# %% grading="skip"
with graph.as_default():
    xs = v1.placeholder(tf.float32, [None], name="xs")
    put_many = queue.enqueue_many(xs)
    take_three = queue.dequeue_many(3)
session.run(put_many, {xs: [6, 7]})
print("before:", session.run(size))

# %% predict="lost-pair"
# Predict: dequeue_many(3) runs into its timeout. How many elements are in the queue then: 0, 1, 2?
elements_left = ...

# %% grading="skip"
attempt(session.run, take_three, options=within(300))
seen = int(session.run(size))
compare_prediction("elements left", elements_left, seen, "It held both when it was cancelled.")

# %% [markdown]
# **Both are lost.** `dequeue_many` took what was there, held it, and waited for the third. When the call was
# cancelled, what it held went with it. No error tells you so; your data set just became smaller. (`dequeue_up_to(3)`
# does the same: it takes fewer only when the queue is *closed*.)
#
# So take elements one by one? Yes, but by a **bare** `dequeue`. If the same run also works on the element, and the
# time ends during that work, the element is gone, too:

# %% grading="skip"
def slow_work(value):
    time.sleep(1)
    return value

with graph.as_default():
    take_and_work = tf.numpy_function(slow_work, [queue.dequeue()], tf.float32)
session.run(put, {x: 8})
attempt(session.run, take_and_work, options=within(300))
print("elements left:", session.run(size))

# %% [markdown]
# A training step that is fed by a queue is such a run. Take the element by a call of its own, with the timeout; then
# work on it by another call, without.
#
# The other direction: five elements into a queue with three places.

# %% grading="skip"
with tf.Graph().as_default() as three_places:
    narrow = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
    put_five = narrow.enqueue_many([[1., 2., 3., 4., 5.]])
    narrow_size = narrow.size()
with v1.Session(graph=three_places) as narrow_session:
    attempt(narrow_session.run, put_five, options=within(300))
    print("elements:", narrow_session.run(narrow_size))

# %% [markdown]
# Three are in, two are not. Whoever repeats the call puts the first three twice.
#
# These two have names at work. Give up, and an element may be lost, but none comes twice: **at most once**. Repeat
# until it has worked, and none is lost, but some may come twice: **at least once**. *Exactly* once takes more: each
# element carries a number, and the receiver leaves out what it has already seen (section 7).
#
# Most dangerous is a run that takes from *two* queues. One has an element, the other none:

# %% grading="skip"
with tf.Graph().as_default() as pair:
    full = tf.queue.FIFOQueue(5, tf.float32, shapes=[()])
    empty = tf.queue.FIFOQueue(5, tf.float32, shapes=[()])
    put_one = full.enqueue(1.)
    take_both = [full.dequeue(), empty.dequeue()]
    full_size = full.size()
with v1.Session(graph=pair) as pair_session:
    pair_session.run(put_one)
    attempt(pair_session.run, take_both, options=within(300))
    print("elements in the queue that had one:", pair_session.run(full_size))

# %% [markdown]
# The run gives you everything or nothing, but the queues do not roll back. So with a timeout:
#
# | you want | do not | do |
# | --- | --- | --- |
# | n elements | `dequeue_many(n)` | take them one by one, and *keep* what you have (exercise 2) |
# | an element, and work on it | both in one run | a bare `dequeue` with the timeout, then the work |
# | one element of each of several queues | all in one run | one call for each queue (exercise 4) |
# | to put n elements | `enqueue_many` and repeat | one by one, and count |
#
# ## 5 The end: closing, draining, cancelling
#
# A timeout says "nothing *yet*". A consumer also has to learn that nothing will come *any more*. For that, the
# producer **closes** the queue.

# %% grading="skip"
with graph.as_default():
    take = queue.dequeue()
    take_up_to_three = queue.dequeue_up_to(3)
    close = queue.close()
session.run(put_many, {xs: [8, 9]})
session.run(close)
attempt(session.run, put, {x: 10}, label="put:              ")
attempt(session.run, take_three, label="take three:       ")
attempt(session.run, take_up_to_three, label="take up to three: ")
attempt(session.run, take, label="take one:         ")
session.close()

# %% [markdown]
# After `close` you may not put, but you can **drain**: take what is left. `dequeue_many` refuses at once, and loses
# nothing here, since it knows that a third will never come. `dequeue_up_to` takes the rest. Then `OutOfRangeError`
# means *the end*.
#
# | error | means | what to do |
# | --- | --- | --- |
# | `DeadlineExceededError` | nothing came in time | try again, or answer without |
# | `OutOfRangeError` | closed and drained: the end of the data | a consumer stops; all is well |
# | `CancelledError` | a *put* was refused or broken off, since the queue is closed; or the *session* was closed during the wait, which breaks off takes as well | stop |
# | any other | a real fault | let it rise |
#
# What if somebody is waiting to *put* while you close? A plain `close` lets that put finish, so it **waits for
# it**:

# %% grading="skip"
with three_places.as_default():
    narrow_take = narrow.dequeue()
    plain_close = narrow.close()
    cancelling_close = narrow.close(cancel_pending_enqueues=True)
session = v1.Session(graph=three_places)
producer = in_background(session.run, put_five)
wait_until(lambda: session.run(narrow_size) == 3)           # three are in, and two wait

# %% grading="skip"
closing = in_background(session.run, plain_close, options=within(200))
time.sleep(1)
print("closed after a second?", closing.done(), "| has the producer ended?", producer.done())

# %% [markdown]
# Look at the `200`: **this call has a timeout, and it does not help.** A timeout *asks* the ops of the run to break
# off. `dequeue` and `enqueue` do; a plain `close` does not listen. What helps is `cancel_pending_enqueues=True`:

# %% grading="skip"
session.run(cancelling_close)
print("the producer ended with", type(producer.exception(timeout=20)).__name__)
print("the plain close ended with", type(closing.exception(timeout=20)).__name__)
print("drained:", [float(session.run(narrow_take)) for _ in range(3)])
attempt(session.run, narrow_take)
session.close()

# %% [markdown]
# The plain close reports its timeout only now, when the producer is gone: its 200 ms were over long ago.
#
# The clean order at the end of a program:
#
# 1. `close(cancel_pending_enqueues=True)`: waiting producers get `CancelledError`, and nobody can put any more;
# 2. **join** the producers: wait until their threads have ended;
# 3. **drain**: take until `OutOfRangeError`;
# 4. only then close the session. (Closing the session first also frees everybody. But what was in the queue is gone.)
#
# Exercises 1 to 3 practise this. They get a graph with a queue as bytes; `opened(graph_bytes)` makes a `tf.Graph` of
# them (a helper). Its ops and tensors are run by their names: `session.run("fill")`, `session.run("next:0")`.

# %% [markdown] exercise="drain"
# ### Exercise 1 · Drain a queue, and say how it ended
#
# Write `drain(graph_bytes, timeout_ms)`. The graph has an op `fill`, which you run once {#1}, and a tensor `next:0`,
# which takes one element (a number) out of a queue. Take elements until it ends {#2}. Wait at most `timeout_ms` for
# **each** element {#3}.
#
# Return `{"values": [...], "ended": "closed"}` if the queue was closed and is drained {#4}, and `{"values": [...],
# "ended": "timeout"}` if nothing came in time {#5}. The values are in the order in which they came {#6}. Any other
# error is a real fault: do not catch it {#7}.
#
# Example: `drain(numbers_graph(closed=True), 1000)` is `{"values": [1.0, 2.0, 3.0], "ended": "closed"}`; with
# `closed=False` it ends with `"timeout"`, after a second.

# %% solution="drain" kind="graph"
def drain(graph_bytes, timeout_ms):
    """Take all elements out of a graph's queue, and say how it ended.

    Args:
        graph_bytes: bytes of a GraphDef with an op "fill" and a tensor "next:0".
        timeout_ms: int, milliseconds to wait for each element, at least 1.
    Returns:
        dict: "values", a list of float, and "ended", "closed" or "timeout".
    Raises:
        tf.errors.OpError: whatever else goes wrong in a run.
    """
    ### BEGIN SOLUTION
    options = v1.RunOptions(timeout_in_ms=timeout_ms)
    values = []
    with v1.Session(graph=opened(graph_bytes)) as session:
        session.run("fill")
        while True:
            try:
                values.append(float(session.run("next:0", options=options)))
            except tf.errors.OutOfRangeError:
                return {"values": values, "ended": "closed"}
            except tf.errors.DeadlineExceededError:
                return {"values": values, "ended": "timeout"}
    ### END SOLUTION

# %% try="drain"
try:
    for closed in (True, False):
        print(drain(numbers_graph(closed), 1000))
except NotImplementedError as error:
    print(error)

# %% check="drain-closed" points=2 title="A closed queue: all values, and 'closed'"
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    with tf.control_dependencies([queue.enqueue_many([[3., 1., 4., 1., 5.]])]):
        tf.group(queue.close(), name="fill")
    queue.dequeue(name="next")
try:
    got = drain(graph.as_graph_def().SerializeToString(), 5000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = {"values": [3., 1., 4., 1., 5.], "ended": "closed"}
told = Told(asked="drain(a queue with 3, 1, 4, 1, 5 that is then closed, 5000)", got=got, expected=right,
            reread="section 5, The end: closing, draining, cancelling")
assert got != "OutOfRangeError was raised", told(
    "OutOfRangeError is how a closed, drained queue says that it has ended")
assert isinstance(got, dict) and set(got) == {"values", "ended"}, told(
    "the result is not a dict with values and ended")
assert type(got["values"]) is list, told("the values are not a list")
assert got != {"values": [], "ended": "timeout"}, told("nothing came: the op fill has to run before")
values = [float(value) for value in got["values"]]
assert len(values) >= 5, told("elements that were in the queue when it was closed are missing")
assert values == right["values"] or sorted(values) != sorted(right["values"]), told(
    "the values are not in the order of the queue")
assert values == right["values"], told()
assert got["ended"] == "closed", told("the end of a closed queue is taken for a timeout")

# %% check="drain-timeout" points=2 title="An open queue: what came, and 'timeout'"
import time
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    tf.group(queue.enqueue_many([[7., 2.]]), name="fill")
    queue.dequeue(name="next")
for _ in range(2):                                   # a busy machine gets a second chance
    start = time.monotonic()
    try:
        got = drain(graph.as_graph_def().SerializeToString(), 200)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    seconds = time.monotonic() - start
    if seconds < 2:
        break
right = {"values": [7., 2.], "ended": "timeout"}
told = Told(asked="drain(a queue with 7, 2 that stays open, 200)", got=got, expected=right,
            reread="section 5, The end: closing, draining, cancelling")
assert got != "DeadlineExceededError was raised", told(
    "a timeout is one of the two ends, no error of drain")
assert isinstance(got, dict) and set(got) == {"values", "ended"}, told(
    "the result is not a dict with values and ended")
assert got["values"] != [], told("what came before the timeout is missing")
assert got["ended"] != "closed", told("a timeout is taken for the end of the data, but more may still come")
told.got, told.expected = f"{got} after {seconds:.1f} seconds", f"{right} after about 0.2 seconds"
assert sorted(got["values"]) != [2., 7.] or got["values"] == right["values"], told(
    "the values are not in the order of the queue")
assert got == right, told()
assert seconds < 2, told("it waits longer than timeout_ms")

# %% hidden="drain-each" points=1 title="The timeout is for each element"
import tensorflow as tf

value = float(draw.randrange(1, 100))
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    with tf.control_dependencies([queue.enqueue_many([[value, value + 1, value + 2, value + 3]])]):
        tf.group(queue.close(), name="fill")
    element = queue.dequeue()
    with tf.control_dependencies([element]):
        start = tf.timestamp()
        end = tf.while_loop(lambda now: now < start + 0.3, lambda now: tf.timestamp(), [start])
    with tf.control_dependencies(end):
        tf.identity(element, name="next")
right = {"values": [value, value + 1, value + 2, value + 3], "ended": "closed"}
for _ in range(3):                                   # a busy machine gets other chances
    try:
        got = drain(graph.as_graph_def().SerializeToString(), 1000)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    if got == right:
        break
told = Told(asked="drain(a closed queue with four elements, each of which takes 0.3 s to come, 1000)",
            got=got,
            expected=right, reread="section 3, Two timeouts")
assert isinstance(got, dict) and set(got) == {"values", "ended"}, told()
assert got["ended"] != "timeout" or len(got["values"]) not in (1, 2, 3), told(
    "the timeout was for all elements together; each of them came in time")
assert got != {"values": [], "ended": "timeout"}, told(
    "gave up before timeout_ms were over, or fill did not run")
assert got == right, told()

# %% hidden="drain-fault" points=1 title="A real fault is not caught"
import tensorflow as tf

many, division = draw.randrange(1, 4), f"division {draw.randrange(10**6)}"
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    with tf.control_dependencies([queue.enqueue_many([[4.] * many + [0., 2.]])]):
        tf.group(queue.close(), name="fill")
    tf.debugging.check_numerics(1 / queue.dequeue(), division, name="next")
fault = ""
try:
    got = drain(graph.as_graph_def().SerializeToString(), 2000)
except tf.errors.OpError as error:
    got, fault = f"{type(error).__name__} was raised", str(error)
told = Told(asked=f"drain(a queue where element {many + 1} makes next raise InvalidArgumentError, 2000)",
            got=got,
            expected="InvalidArgumentError was raised",
            reread="section 5, The end: closing, draining, cancelling")
assert not isinstance(got, dict) or got.get("values"), told()
assert not isinstance(got, dict), told("a real fault is reported as a normal end")
assert fault and got == "InvalidArgumentError was raised", told()
assert division in fault, told("an error is raised, but not the one that the run ended with")

# %% hidden="drain-drawn" points=1 title="Other values, and a queue that gets none"
import tensorflow as tf

numbers = draw.sample(range(100), draw.randrange(3, 6))
if numbers == sorted(numbers):
    numbers.reverse()
cases = [(numbers, True), ([], True), ([], False), (numbers, False)]
for values, closed in cases:
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
        puts = [queue.enqueue_many([[float(value) for value in values]])] if values else []
        with tf.control_dependencies(puts):
            tf.group(*([queue.close()] if closed else [tf.no_op()]), name="fill")
        queue.dequeue(name="next")
    try:
        got = drain(graph.as_graph_def().SerializeToString(), 2000 if closed else 200)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    right = {"values": [float(value) for value in values], "ended": "closed" if closed else "timeout"}
    told = Told(asked=f"drain(a queue with {values}, {'closed' if closed else 'open'})",
                got=got, expected=right,
                reread="section 5, The end: closing, draining, cancelling")
    assert values or isinstance(got, dict), told("the first next may already be the end")
    assert got == right, told()

# %% [markdown] exercise="batches"
# ### Exercise 2 · Batches, and nothing lost
#
# Write `batches(graph_bytes, n, timeout_ms, plan)`. The graph has one FIFO queue of numbers. `plan` is a list of
# words; do them in this order {#1}, in **one** session {#2}:
#
# * `"batch"`: try to get a batch of `n` elements; wait at most `timeout_ms` for **each** element {#3}.
# * any other word is the name of an op of the graph, such as `"put_1"` or `"close"`: run it.
#
# Return a list with one result for each `"batch"`:
#
# * the `n` elements, if they came {#4};
# * `None`, if the queue is open and too few came in time {#5}. **None of them may be lost**: they are the first of the
#   next batch {#6};
# * what is left, fewer than `n`, if the queue is closed {#7}; `[]` if nothing is left {#8}.
#
# Besides such ops the graph offers `next:0` (takes one element), `many:0` (takes as many at once as you feed to
# `n:0`), and `size:0`. You need not use all of them.
#
# Example: if `put_1` puts 1, 2 and `put_2` puts 3, 4, then `batches(graph, 3, 1000, ["put_1", "batch", "put_2",
# "batch"])` is `[None, [1.0, 2.0, 3.0]]`.

# %% solution="batches" kind="graph"
def batches(graph_bytes, n, timeout_ms, plan):
    """Take batches out of a graph's queue with a timeout, without losing an element.

    Args:
        graph_bytes: bytes of a GraphDef with "next:0", "many:0", "n:0", "size:0", and the plan's ops.
        n: int, elements of a batch.
        timeout_ms: int, milliseconds to wait for each element, at least 1.
        plan: list of str: "batch", or the name of an op to run.
    Returns:
        list with one result for each "batch": a list of float, or None if too few came in time.
    """
    ### BEGIN SOLUTION
    options = v1.RunOptions(timeout_in_ms=timeout_ms)
    held, results = [], []
    with v1.Session(graph=opened(graph_bytes)) as session:
        for word in plan:
            if word != "batch":
                session.run(word)
                continue
            try:
                while len(held) < n:
                    held.append(float(session.run("next:0", options=options)))
            except tf.errors.DeadlineExceededError:
                results.append(None)
                continue
            except tf.errors.OutOfRangeError:
                pass
            results.append(held)
            held = []
    return results
    ### END SOLUTION

# %% try="batches"
try:
    print(batches(batch_graph([1, 2], [3, 4]), 3, 1000, ["put_1", "batch", "put_2", "batch"]))
except NotImplementedError as error:
    print(error)

# %% check="batches-complete" points=1 title="Batches that are complete"
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[5., 3., 8., 1.]], name="put_1")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 2, 2000, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [[5., 3.], [8., 1.]]
told = Told(asked=f"batches of 2, plan {plan}; put_1 puts 5, 3, 8, 1", got=got, expected=right,
            reread="the text of exercise 2")
assert type(got) is list and len(got) == 2, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got != [None, None], told(
    "no element was in the queue: it lives in one session, and so must the plan")
assert all(type(batch) is list for batch in got), told("a batch that came is a list of its n elements")
assert got != [[5.0, 3.0], [5.0, 3.0]], told("the second batch repeats the first one's elements")
assert [[float(value) for value in batch] for batch in got] == right, told()

# %% check="batches-kept" points=2 title="Too few: None, and they are kept"
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[1., 2.]], name="put_1")
    queue.enqueue_many([[3., 4.]], name="put_2")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "put_2", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 3, 500, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, [1., 2., 3.]]
told = Told(asked=f"batches of 3, plan {plan}; put_1 puts 1, 2 and put_2 puts 3, 4",
            got=got, expected=right,
            reread="section 4, What a timeout loses, and what it keeps")
assert got != "DeadlineExceededError was raised", told(
    "a timeout is no fault here: the result of that batch is None")
assert type(got) is list and len(got) == 2, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got != [None, None], told("the pair 1, 2 is lost")
assert got[0] is None, told("a batch that is not complete is None while the queue is open")
assert type(got[1]) is list and [float(value) for value in got[1]] == right[1], told(
    "the elements that were too few for a batch are not the first of the next one")

# %% hidden="batches-again" points=1 title="Kept over several timeouts"
import tensorflow as tf

numbers = [float(number) for number in draw.sample(range(100), 8)]
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    for i, part in enumerate((numbers[:1], numbers[1:3], numbers[3:]), start=1):
        queue.enqueue_many([part], name=f"put_{i}")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["batch", "put_1", "batch", "put_2", "batch", "put_3", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 4, 300, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, None, None, numbers[:4], numbers[4:]]
told = Told(asked=f"batches of 4, plan {plan}; the ops put one, two, and five of {numbers}", got=got,
            expected=right, reread="section 4, What a timeout loses, and what it keeps")
assert type(got) is list and len(got) == 5, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got[:3] == [None] * 3, told("a batch that is not complete is None while the queue is open")
assert type(got[3]) is list and [float(value) for value in got[3]] == right[3], told(
    "elements of the batches before that were too few are lost or out of order")
assert type(got[4]) is list and [float(value) for value in got[4]] == right[4], told()

# %% hidden="batches-closed" points=2 title="The end: what is left, then nothing"
import tensorflow as tf

numbers = [float(number) for number in draw.sample(range(100), 5)]
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([numbers[:1]], name="put_1")
    queue.enqueue_many([numbers[1:]], name="put_2")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "put_2", "close", "batch", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 3, 300, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, numbers[:3], numbers[3:], []]
told = Told(asked=f"batches of 3, plan {plan}; the ops put one, and four of {numbers}",
            got=got, expected=right,
            reread="section 5, The end: closing, draining, cancelling")
assert got != "OutOfRangeError was raised", told("OutOfRangeError is the end of the data, not a fault")
assert type(got) is list and len(got) == 4, told(
    "the result is not a list with one entry for each 'batch' of the plan")
whole = got[:2] == right[:2]
assert not whole or (got[2] is not None and got[2] != []), told(
    "the last, short batch of a closed queue is lost")
assert not whole or got[3] is not None, told(
    "where nothing is left in a closed queue, the batch is an empty list")
assert got == right, told()

# %% hidden="batches-time" points=1 title="The timeout is for each element"
import time
import tensorflow as tf

numbers = [float(number) for number in draw.sample(range(100), 4)]
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([numbers], name="put_1")
    queue.close(name="close")
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float64, 0.)
    tf.group(table.insert("begun", tf.timestamp()), name="begin")
    waited = tf.timestamp() - table.lookup(tf.constant("begun"))
    tf.minimum(queue.size(), tf.cast(waited / 0.3, tf.int32), name="size")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
    element = queue.dequeue()
    with tf.control_dependencies([element]):
        start = tf.timestamp()
        end = tf.while_loop(lambda now: now < start + 0.3, lambda now: tf.timestamp(), [start])
    with tf.control_dependencies(end):
        tf.identity(element, name="next")
asked = [(1000, ["put_1", "begin", "batch"]), (200, ["begin", "batch"])]
for _ in range(3):                                   # a busy machine gets other chances
    got, seconds = [], []
    for timeout_ms, plan in asked:
        start = time.monotonic()
        try:
            got.append(batches(graph.as_graph_def().SerializeToString(), 4, timeout_ms, list(plan)))
        except tf.errors.OpError as error:
            got.append(f"{type(error).__name__} was raised")
        seconds.append(time.monotonic() - start)
    right = [[numbers], [None]]
    if got == right and seconds[1] < 2:
        break
told = Told(asked=f"batches of 4, (timeout_ms, plan) {asked}; each of the 4 elements takes 0.3 s to come",
            got=f"{got}, after {[round(number, 1) for number in seconds]} seconds",
            expected=f"{right}; the second after about 0.2 seconds", reread="the text of exercise 2")
assert got[0] != [None], told("gave up, although each element came within timeout_ms")
assert got == right, told()
assert seconds[1] < 2, told("it waits longer than timeout_ms")

# %% [markdown] exercise="stop"
# ### Exercise 3 · Stop cleanly
#
# Write `stop_cleanly(graph_bytes, producers, n)`. Each name in `producers` is an op of the graph that puts several
# elements into *one* FIFO queue (an `enqueue_many`). It may be more than the queue has room for, so an op may have to
# wait. The graph also has `next:0` (takes one element), `size:0`, and two ops, `close` and `cancel`: the plain close,
# and the one with `cancel_pending_enqueues=True`. You need not use all of them.
#
# 1. Run each producer's op once {#1}, all at the same time, each in a thread of its own.
# 2. Take `n` elements {#2}.
# 3. Stop: no producer may go on or wait any more {#3}.
# 4. Take what was in the queue when you stopped. Nothing of it may be lost {#4}.
#
# Return `{"taken": [...], "rest": [...], "ended": {...}}`: the `n` elements, those of point 4, and for each producer
# `"done"` if its op returned {#5}, or the name of the error's class if it did not {#6}. A producer that had not yet
# begun ends with `CancelledError` too.
#
# Example: the queue has 2 places and the op `p` puts 1, 2, 3, 4, 5, 6. Then `stop_cleanly(graph, ["p"], 1)` is
# `{"taken": [1.0], "rest": [2.0, 3.0], "ended": {"p": "CancelledError"}}`.
#
# Careful: a wrong order hangs here, and the stop button does not free a `session.run`. The checks give up after a
# minute; if your try cell does not end, restart the kernel.

# %% solution="stop" kind="graph"
def stop_cleanly(graph_bytes, producers, n):
    """Run producers, take n elements, then stop everything without losing any.

    Args:
        graph_bytes: bytes of a GraphDef: the producers' ops, "next:0", "size:0", "close", "cancel".
        producers: list of str, names of ops.
        n: int, elements to take before stopping; 1 or more, and no more than the producers put.
    Returns:
        dict: "taken", "rest": lists of float; "ended": producer -> "done" or an error's class.
    """
    ### BEGIN SOLUTION
    rest, ended = [], {}
    with v1.Session(graph=opened(graph_bytes)) as session:
        running = {name: in_background(session.run, name) for name in producers}
        taken = [float(session.run("next:0")) for _ in range(n)]
        session.run("cancel")
        for name, future in running.items():
            error = future.exception()               # waits until the thread has ended
            ended[name] = type(error).__name__ if error else "done"
        try:
            while True:
                rest.append(float(session.run("next:0")))
        except tf.errors.OutOfRangeError:
            return {"taken": taken, "rest": rest, "ended": ended}
    ### END SOLUTION

# %% try="stop"
try:
    print(stop_cleanly(producer_graph(2, p=[1, 2, 3, 4, 5, 6]), ["p"], 1))
except NotImplementedError as error:
    print(error)

# %% check="stop-waiting" points=3 title="A producer that waits is stopped, and nothing is lost"
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
    queue.enqueue_many([[10., 20., 30., 40., 50., 60., 70., 80.]], name="p")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
try:
    got = stop_cleanly(graph.as_graph_def().SerializeToString(), ["p"], 2)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = {"taken": [10., 20.], "rest": [30., 40., 50.], "ended": {"p": "CancelledError"}}
told = Told(asked="a queue with 3 places, p puts 10 to 80 (eight numbers), n=2", got=got, expected=right,
            reread="section 5, The end: closing, draining, cancelling")
assert isinstance(got, dict) and set(got) == {"taken", "rest", "ended"}, told(
    "the result is not a dict of taken, rest and ended")
lists = all(type(got[key]) is list for key in ("taken", "rest"))
assert lists and isinstance(got["ended"], dict), told(
    "taken and rest are lists, ended is a dict")
taken, rest = ([float(value) for value in got[key]] for key in ("taken", "rest"))
assert len(taken) == 2, told("taken are n elements, no more and no fewer")
assert taken == right["taken"], told()
assert len(rest) <= 3, told("p went on while the rest was taken")
assert rest != [], told("what was in the queue is lost")
assert rest == right["rest"], told()
assert set(got["ended"]) == {"p"}, told("ended lacks a producer")
assert got["ended"] == right["ended"], told(
    "p was waiting for a place when it was stopped: its op ended with an error")

# %% hidden="stop-done" points=2 title="A producer that had ended, and an empty rest"
import tensorflow as tf

numbers = [float(number) for number in draw.sample(range(100), 5)]
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(4, tf.float32, shapes=[()])
    queue.enqueue_many([numbers], name="quick")
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
try:
    got = [stop_cleanly(graph.as_graph_def().SerializeToString(), ["quick"], n) for n in (2, 5)]
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"taken": numbers[:2], "rest": numbers[2:], "ended": {"quick": "done"}},
         {"taken": numbers, "rest": [], "ended": {"quick": "done"}}]
told = Told(asked=f"a queue with 4 places, quick puts {numbers}; once n=2, once n=5",
            got=got, expected=right,
            reread="the text of exercise 3")
assert type(got) is list, told("an error was raised: the end of the queue is no fault")
keys = [set(part) if isinstance(part, dict) else None for part in got]
assert all(each == {"taken", "rest", "ended"} for each in keys), told(
    "the result is not a dict of taken, rest and ended")
numbers = [[[float(value) for value in part[key]] for key in ("taken", "rest")] for part in got]
assert [len(part[0]) for part in numbers] == [2, 5], told("taken are n elements, no more and no fewer")
assert numbers[0][1] != [], told("what was in the queue is lost")
assert numbers == [[part["taken"], part["rest"]] for part in right], told()
assert all(set(part["ended"]) == {"quick"} for part in got), told("ended lacks a producer")
assert [part["ended"] for part in got] == [{"quick": "done"}] * 2, told(
    "all elements of quick had room, so its op returned")

# %% hidden="stop-several" points=2 title="Three producers at the same time"
import tensorflow as tf

tens = draw.sample(range(1, 9), 3)
puts = {name: [10. * ten + i for i in range(1, 6)] for name, ten in zip("abc", tens)}
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(2, tf.float32, shapes=[()])
    for name, numbers in puts.items():
        queue.enqueue_many([numbers], name=name)
    queue.dequeue(name="next")
    queue.size(name="size")
    queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
for n in (7, 1, 11):
    try:
        got = stop_cleanly(graph.as_graph_def().SerializeToString(), list(puts), n)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    told = Told(asked=f"a queue with 2 places, three producers at once: {puts}; n={n}", got=got,
                expected=f"{n} taken and 2 as the rest; done are those of which all elements came",
                reread="section 5, The end: closing, draining, cancelling")
    assert isinstance(got, dict) and set(got) == {"taken", "rest", "ended"}, told(
        "the result is not a dict of taken, rest and ended")
    assert isinstance(got["ended"], dict) and set(got["ended"]) == set(puts), told(
        "ended has an entry for each producer")
    taken, rest = ([float(value) for value in got[key]] for key in ("taken", "rest"))
    assert len(taken) == n, told("taken are n elements, no more and no fewer")
    assert len(rest) <= 2, told("the producers went on while the rest was taken")
    # each n is 1 or 2 after a multiple of 5: a producer is in the middle and waits; the queue is full
    assert len(rest) == 2, told("what was in the queue is lost, or a part of it")
    came = {name: [value for value in taken + rest if value // 10 == numbers[0] // 10]
            for name, numbers in puts.items()}
    assert all(came[name] == numbers[:len(came[name])] for name, numbers in puts.items()), told(
        "an element is lost, or came twice: each producer's elements come in its order")
    assert sum(map(len, came.values())) == len(taken + rest), told("an element came that nobody had put")
    true = {name: "done" if came[name] == numbers else "CancelledError" for name, numbers in puts.items()}
    assert got["ended"] == true, told(
        "a producer is done only if all its elements are in; the others were cancelled")
# %% [markdown]
# ## Sitting 2 · Many threads, many processes
#
# ## 6 The length tells who waits
#
# You need not guess which side is too slow. Look at the length of the queue between them:
#
# | the queue is mostly | so | cure |
# | --- | --- | --- |
# | full | the producer waits: the consumer is slower | make the *consumer* faster; more places do not help |
# | empty | the consumer waits: the producer is slower | make the *producer* faster; more places do not help |
# | in between, up and down | both work; the queue smooths out short delays | nothing; if it often hits an end, more places |
#
# A bounded queue that makes its producer wait gives **backpressure**: the slow side slows the fast one down, and memory
# stays bounded. Without a bound, nobody waits, and the queue grows until the memory is full.

# %% grading="skip"
record, taken = put_and_take(capacity=6, put_each=0.02, take_each=0.1, seconds=1.5)
draw_lengths(record, 6, "A producer that is five times as fast as the consumer")

# %% [markdown]
# Now you: choose speeds and a capacity, predict, then press *Run*, and watch the queue for four seconds. Can you keep
# it from being full and from being empty? What does a larger capacity change when the producer is faster: the speed,
# or only the time until the queue is full?
#
# <details><summary>Picture for reading without a kernel</summary>
#
# 20 elements per second are put, 10 are taken, capacity 6.
#
# ![The widget after a run. Sliders: capacity 6 elements, producer 20 elements per second, consumer 10 elements per second. Below, the length of the queue over four seconds: it climbs from 1 to the capacity of 6 within about 0.7 seconds and then stays there. In words below: the queue was full for 87 percent of the time.](assets/04_widget.svg)
#
# </details>

# %% grading="skip"
who_waits()

# %% [markdown]
# ## 7 An ensemble that answers in time
#
# Now the shop's problem. Several models predict; a client averages. Each model has an **input queue** and a
# **prediction queue** of its own. A *feeder* copies each input into all input queues.
#
# ![From left to right: a feeder copies step and x into three input queues, one for each of the models a, b and c. Each model puts step and prediction into its own prediction queue. A client takes from the three prediction queues, each with a timeout, and averages. Model c is marked as stopped: its input queue is full and its prediction queue is empty, and the client answers with the mean of a and b.](assets/04_ensemble.svg)
#
# Here the models are threads; in section 8 they are processes. Each is a 2×2 matrix; what matters is how they talk.

# %% grading="skip"
MODELS = {"a": [[1., 0.], [0., 1.]], "b": [[.9, .1], [.1, .9]], "c": [[.5, .5], [.5, .5]]}

def queue_of(model, way):
    """A queue of (step, two numbers); `shared_name` is how several programs find the same queue."""
    return tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[(), (2,)],
                              shared_name=f"{model}/{way}")

# %% grading="skip"
feed_one, work, take_one, waiting, stop = {}, {}, {}, {}, []
with tf.Graph().as_default() as ensemble_graph:
    step = v1.placeholder(tf.int32, [], name="step")
    x = v1.placeholder(tf.float32, [2], name="x")
    for model, weights in MODELS.items():
        inputs, predictions = queue_of(model, "inputs"), queue_of(model, "predictions")
        feed_one[model] = inputs.enqueue([step, x])
        waiting[model] = inputs.size()
        number, value = inputs.dequeue()
        work[model] = predictions.enqueue([number, tf.tensordot(value, weights, 1)])
        take_one[model] = predictions.dequeue()
        stop.append(inputs.close(cancel_pending_enqueues=True))
        stop.append(predictions.close(cancel_pending_enqueues=True))
    feed = tf.group(*feed_one.values())

# %% [markdown]
# Each element carries its **step** number. You will soon see why. A model is a thread that runs its `work` for ever.
# Each has a switch (a `threading.Event`) with which we can stop it, as if it froze:

# %% grading="skip"
def play_model(session, model, switch):
    try:
        while switch.wait():                         # off: the model does not answer
            session.run(work[model])
    except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
        pass                                         # the queues were closed: the end

def answer(session, timeout):
    """The mean of the predictions that come, and who is missing; a timeout (ms) for each call."""
    found = {}
    for model, take in take_one.items():
        try:
            found[model] = session.run(take, options=within(timeout))[1]
        except tf.errors.DeadlineExceededError:
            pass
    mean = [round(float(value), 3) for value in np.mean(list(found.values()), axis=0)]
    return mean, [model for model in MODELS if model not in found]

# %% predict="ensemble"
# Predict: c is switched off before step 2. Its input queue has 3 places. After some steps the
# feeder, too, runs into its timeout. At which step for the first time?
feeder_waits_at_step = ...

# %% grading="skip"
session = v1.Session(graph=ensemble_graph)
switches, players = {}, []
for model in MODELS:
    switches[model] = threading.Event()
    switches[model].set()
    players.append(in_background(play_model, session, model, switches[model]))

def feed_step(session, now, timeout):
    """Feed one step; True if all input queues took it in time."""
    try:
        session.run(feed, {step: now, x: [.2, .8]}, options=within(timeout))
        return True
    except tf.errors.DeadlineExceededError:
        return False

# %% grading="skip"
start, in_time, refused = time.monotonic(), {}, []
with watched(session, waiting) as record:
    for now in range(8):
        if now == 2:
            switches["c"].clear()
        in_time[now] = time.monotonic() - start
        if not feed_step(session, now, timeout=500):
            refused.append(now)
        print(f"step {now}: answer", *answer(session, timeout=500), "| refused at", refused)
compare_prediction("feeder waits at step", feeder_waits_at_step, refused[0], "3 places were full.")

# %% grading="skip"
draw_lengths(record, 3, "Input queues; c is switched off before step 2", marks=in_time)

# %% [markdown]
# Two things to see:
#
# * **The ensemble answers in time.** From step 2 or 3 on, `c` is missing, and the mean is that of `a` and `b`. (`c` was
#   already waiting for its next input when it was switched off, and may finish that one.)
# * Then the input queue of `c` fills up, and the **feeder** runs into its timeout. The other models still got their
#   input: a timed-out run keeps what it had put. Without a timeout, one stopped model would have stopped the feeder,
#   and with it everybody. That is what happened to the shop. *Both* sides of a stopped model need a timeout.
#
# A model that is much slower than the others is called a **straggler**; a frozen one is the extreme case. Now `c` wakes
# up:

# %% grading="skip"
switches["c"].set()
late = [int(session.run(take_one["c"], options=within(5000))[0]) for _ in range(3)]
print("c answers steps", late, "- and the feeder is at step 8")
session.run(stop)
print("models ended:", all(player.exception(timeout=20) is None for player in players))
session.close()

# %% [markdown]
# **A late answer is still an answer, but to an old question.** A client that averages it with today's predictions of
# `a` and `b` mixes up inputs, without any error. That is why each prediction carries its step: old ones are thrown
# away. Our `answer` does not look. Yours will, in exercise 4.
#
# It has a second weakness: it asks one model after the other. Ten stopped models cost ten timeouts.
#
# ## 8 The same with real processes
#
# Between processes, nothing changes but the address. One process holds the queues (a TensorFlow *server*, lesson 06);
# each model is a process, which finds its queues by their `shared_name`. The program is a file, `models.py`, in two
# parts. First what a model does:

# %%
%%writefile models.py
import json
import multiprocessing
import os
import sys

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1")
import numpy as np
import tensorflow as tf

def queue_of(model, way):
    return tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[(), (2,)],
                              shared_name=f"{model}/{way}")

# %%
%%writefile -a models.py

def play_model(model, weights, address):
    """Take inputs and put predictions, until the process is ended."""
    weights = np.asarray(weights, "float32")
    target = address.get()                           # where the queues are
    with tf.Graph().as_default():
        take = queue_of(model, "inputs").dequeue()
        number = tf.compat.v1.placeholder(tf.int32, [])
        prediction = tf.compat.v1.placeholder(tf.float32, [2])
        put = queue_of(model, "predictions").enqueue([number, prediction])
        with tf.compat.v1.Session(target) as session:
            while True:
                step, value = session.run(take)
                session.run(put, {number: step, prediction: value @ weights})

# %% [markdown]
# Then the process that starts them and holds the queues. It ends all of them when its standard input ends, however the
# notebook goes away:

# %%
%%writefile -a models.py

if __name__ == "__main__":
    way = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    address, models = way.SimpleQueue(), {}
    for model, weights in json.loads(sys.argv[1]).items():     # before TensorFlow runs an op here
        models[model] = way.Process(target=play_model, args=(model, weights, address))
        models[model].start()
    server = tf.distribute.Server({"queues": ["localhost:0"]}, job_name="queues", task_index=0)
    for _ in models:
        address.put(server.target)
    print(json.dumps([server.target, {m: models[m].pid for m in models}]), flush=True)
    sys.stdin.read()
    for process in models.values():
        process.kill()                               # a frozen one, too
    os._exit(0)                                      # a server has no stop of its own

# %% [markdown]
# We **freeze** the process of `c`: the operating system gives it no more time.

# %% grading="skip"
print("Starting four processes: the queues and three models. This takes some seconds.", flush=True)
with model_processes("models.py", MODELS) as running:
    with v1.Session(running.target, graph=ensemble_graph) as session:
        for now in range(7):
            if now == 2:
                psutil.Process(running.pids["c"]).suspend()
            patience = 500 if now else 20_000        # step 0 may have to wait for processes
            fed_in_time = feed_step(session, now, timeout=patience)
            print(f"step {now}: fed in time {fed_in_time!s:5} | answer", *answer(session, patience))
        psutil.Process(running.pids["c"]).resume()
        late = [int(session.run(take_one["c"], options=within(10_000))[0]) for _ in range(2)]
        print("c was woken up and answers steps", late)

# %% [markdown]
# No thread of your notebook played a model here, and nothing in the client changed: same graph, same timeouts. The
# frozen process could not be asked to stop, could not raise an error, and did not close its connection. Only a timeout
# notices such a thing.
#
# ## 9 Break it and diagnose it: a deadlock
#
# In a **deadlock** each side waits for the other. Here a client sends numbers to a server thread and gets doubles
# back. It sends *all* its requests first and then reads the replies. Both queues have two places.

# %% grading="skip"
with tf.Graph().as_default() as doubling:
    requests = tf.queue.FIFOQueue(2, tf.float32, shapes=[()])
    replies = tf.queue.FIFOQueue(2, tf.float32, shapes=[()])
    x = v1.placeholder(tf.float32, [])
    ask, reply = requests.enqueue(x), replies.dequeue()
    double = replies.enqueue(2 * requests.dequeue())
    sizes = {"requests": requests.size(), "replies": replies.size()}

# %% grading="skip"
def server(session):
    while True:
        session.run(double)

def client(session, count):
    for number in range(count):
        session.run(ask, {x: number})
    return [float(session.run(reply)) for _ in range(count)]

# %% predict="how-many"
# Predict: with how many requests does this still work? (Where can an element be on its way?)
most_that_works = ...

# %% grading="skip"
patient = v1.ConfigProto(operation_timeout_in_ms=1500)
with v1.Session(graph=doubling, config=patient) as session:
    serving = in_background(server, session)
    for count in (4, 5, 6):
        attempt(client, session, count, label=f"{count} requests: ")
    print("sizes:", {name: int(n) for name, n in session.run(sizes).items()})
compare_prediction("most that works", most_that_works, 5, "2 requests, 2 replies, 1 being doubled.")

# %% [markdown]
# The sixth waits for ever. The program had worked with small inputs, and nobody changed it. **Here the session's timeout
# turned a hang into an error.** (It also ended the server: its call waits under the same timeout.)
#
# How to read a hang, in this order:
#
# 1. **Sizes.** *Everything full*: all want to put, nobody takes. *Everything empty*: all want to take, nobody puts (a
#    producer died or was never started). *Full here, empty there*: whoever should carry from here to there has
#    stopped.
# 2. **Where does each thread stand?** Python knows each thread's line, also of one that waits in C++. The server would
#    be at its `session.run(double)`, the client at its `session.run(ask, …)`: a circle. In a script,
#    `faulthandler.dump_traceback_later(60)` prints all stacks if the program still runs after a minute.
#
# The cure is to break the circle: read replies *while* sending, or in another thread. More places only move the limit.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | hangs at the first `run`, all queues empty | was every producer started? did it die of an error? | start it; look at its exception |
# | hangs only with larger input, all queues full | does somebody put everything before taking anything? | take meanwhile |
# | hangs when the program ends | does a plain `close` wait for a producer? | `cancel_pending_enqueues=True` |
# | stop button does nothing | is it a `run` without a timeout? | restart; then `operation_timeout_in_ms` |
# | no error, but elements are missing | several elements, or work, in one run with a timeout? | a bare `dequeue`, one by one |
# | no error, but answers are mixed up | late answers? | carry the step number |
# | hangs although a timeout is set | was the time left 0, or negative? | at least 1 ms |

# %% [markdown] exercise="ensemble"
# ### Exercise 4 · The client that answers in time
#
# Write `ensemble(graph_bytes, models, steps, timeout_ms)`: the client of section 7, without its two weaknesses. For
# each model `m`, the graph has a prediction queue: `m/next:0` and `m/next:1` are step (int) and prediction (two
# numbers) of one element, to be taken together in one run; `m/size:0` is the queue's length. For each step `i` from 0
# to `steps - 1`:
#
# 1. Run the op `arrive_i`, once. It puts in what the models have sent up to now.
# 2. Collect the prediction for step `i` from each model. Wait for those that have not answered yet {#1}, but **at most
#    `timeout_ms` for the whole step**, not for each model: many may be stopped {#2}. When all have answered, go on at
#    once {#3}.
# 3. Each queue is in the order of steps. A prediction for an *older* step came too late: throw it away {#4}, and look
#    at the next one {#5}. One for a *later* step (the model has skipped some) must be kept until that step; for now the
#    model is missing {#6}.
#
# Return a list with one dict for each step: `{"mean": [.., ..], "missing": [...]}`, the mean over the models that
# answered {#7} (`None` if none did {#8}), and the names of the others, in the order of `models` {#9}. Use one session
# for all steps: another one would have empty queues.
#
# Hint: an answer that is there also needs a moment to be taken: a timeout of 1 ms may be too short. Start all calls
# at once (`in_background`), or ask for the sizes before you take.
#
# Example: at step 0, `a` has sent `[1, 3]` and `b` `[3, 5]`. At step 1 only `a` answers, with `[2, 2]`. The result of
# `ensemble(graph, ["a", "b"], 2, 1000)` is `[{"mean": [2.0, 4.0], "missing": []}, {"mean": [2.0, 2.0], "missing":
# ["b"]}]`.

# %% solution="ensemble" kind="graph"
def ensemble(graph_bytes, models, steps, timeout_ms):
    """Average predictions step by step, in time, without models that do not answer.

    Args:
        graph_bytes: bytes of a GraphDef with "m/next:0" (step), "m/next:1" (two numbers), "m/size:0"
            for each model m, and ops "arrive_0", "arrive_1", ...
        models: list of str, the names.
        steps: int, number of steps.
        timeout_ms: int, milliseconds to wait in a step, for all models together.
    Returns:
        list of dict, one for each step: "mean", two float or None, and "missing", a list of names.
    """
    ### BEGIN SOLUTION
    ahead, results = {}, []                          # ahead: {model: what is not used yet}
    with v1.Session(graph=opened(graph_bytes)) as session:

        def ask(model, now, deadline):
            while True:
                if model not in ahead:
                    left = max(1, int(1000 * (deadline - time.monotonic())))
                    pair = [f"{model}/next:0", f"{model}/next:1"]
                    try:
                        ahead[model] = session.run(pair, options=within(left))
                    except tf.errors.DeadlineExceededError:
                        return None
                if ahead[model][0] > now:
                    return None
                number, prediction = ahead.pop(model)
                if number == now:
                    return prediction

        for now in range(steps):
            session.run(f"arrive_{now}")
            deadline = time.monotonic() + timeout_ms / 1000
            asked = {model: in_background(ask, model, now, deadline) for model in models}
            found = {model: future.result() for model, future in asked.items()}
            there = [prediction for prediction in found.values() if prediction is not None]
            results.append({"mean": np.mean(there, axis=0).tolist() if there else None,
                            "missing": [model for model in models if found[model] is None]})
    return results
    ### END SOLUTION

# %% try="ensemble"
try:
    arrivals = [{"a": [(0, [1., 3.])], "b": [(0, [3., 5.])]}, {"a": [(1, [2., 2.])]}]
    print(ensemble(prediction_graph("ab", arrivals), ["a", "b"], 2, 1000))
except NotImplementedError as error:
    print(error)

# %% check="ensemble-missing" points=2 title="A model does not answer"
import tensorflow as tf

arrivals = [{"c": [(0, [6., 4.])], "a": [(0, [1., 3.])], "b": [(0, [2., 2.])]},
            {"a": [(1, [4., 0.])], "c": [(1, [2., 2.])]}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "abcd"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next")
        queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
right = [{"mean": [3., 3.], "missing": ["d"]}, {"mean": [3., 1.], "missing": ["d", "b"]}]
for patience in (600, 2000):                         # a busy machine gets a second chance
    try:
        got = ensemble(graph.as_graph_def().SerializeToString(), ["d", "a", "c", "b"], 2, patience)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    if str(got) == str(right):
        break
told = Told(asked="models d, a, c, b; step 0: a [1, 3], b [2, 2], c [6, 4]; step 1: a [4, 0], c [2, 2]",
            got=got,
            expected=right, reread="section 7, An ensemble that answers in time")
assert got != "DeadlineExceededError was raised", told(
    "one model that does not answer must not take the answer from you")
assert type(got) is list and len(got) == 2, told("the result is not a list with one entry for each step")
assert all(isinstance(r, dict) and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
assert all(type(r["mean"]) in (list, type(None)) and type(r["missing"]) is list for r in got), told(
    "mean is a list of two numbers, or None; missing is a list of names")
assert got[0]["missing"] != ["d", "a", "c", "b"], told(
    "no prediction is used, although three have come: a run that ran into the timeout loses what it took")
missing = [list(r["missing"]) for r in got]
assert [sorted(m) for m in missing] == [["d"], ["b", "d"]], told()
assert missing == [["d"], ["d", "b"]], told("the missing models are not in the order of models")
means = [[round(float(value), 3) for value in r["mean"]] for r in got]
assert means[0] != [2.25, 2.25], told("a model that is missing counts as zero")
assert means == [r["mean"] for r in right], told()

# %% hidden="ensemble-late" points=2 title="Late predictions are thrown away"
import tensorflow as tf

wrong = float(draw.randrange(100, 200))
drawn = [[float(draw.randrange(1, 10)), float(draw.randrange(1, 10))] for _ in range(7)]
arrivals = [{"a": [(0, drawn[0])], "b": [(0, drawn[1])]},
            {"a": [(1, drawn[2])]},
            {"a": [(2, drawn[3])], "b": [(1, [wrong, wrong]), (2, drawn[4])]},
            {"b": [(3, drawn[5])]},
            {"a": [(3, [wrong, wrong])], "b": [(4, drawn[6])]}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "ab"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next")
        queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
both = [[(x + y) / 2 for x, y in zip(*pair)] for pair in (drawn[0:2], drawn[3:5])]
right = [{"mean": both[0], "missing": []}, {"mean": drawn[2], "missing": ["b"]},
         {"mean": both[1], "missing": []}, {"mean": drawn[5], "missing": ["a"]},
         {"mean": drawn[6], "missing": ["a"]}]
for patience in (400, 2000):                         # a busy machine gets a second chance
    try:
        got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b"], 5, patience)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    if str(got) == str(right):
        break
told = Told(asked=f"b answers steps 1 and 2 in step 2; a answers step 3 in step 4; both late: {wrong}",
            got=got, expected=right, reread="section 7, An ensemble that answers in time")
assert type(got) is list and len(got) == 5, told("the result is not a list with one entry for each step")
assert all(isinstance(r, dict) and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
assert got[0]["missing"] == [], told()
means = [r["mean"] and [round(float(value), 3) for value in r["mean"]] for r in got]
assert not any(mean and max(mean) > 20 for mean in means), told(
    "a late prediction is averaged into another step")
assert list(got[2]["missing"]) != ["b"], told("after the late prediction the right one was there, too")
assert [{"mean": mean, "missing": list(r["missing"])} for mean, r in zip(means, got)] == right, told()

# %% hidden="ensemble-ahead" points=1 title="Predictions for later steps are kept"
import tensorflow as tf

early = float(draw.randrange(8, 99))
arrivals = [{"a": [(0, [2., 2.])], "b": [(2, [early, early])]}, {"a": [(1, [4., 4.])]},
            {"a": [(2, [6., 6.])]}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "ab"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next")
        queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
both = (6 + early) / 2
right = [{"mean": [2., 2.], "missing": ["b"]}, {"mean": [4., 4.], "missing": ["b"]},
         {"mean": [both, both], "missing": []}]
for patience in (400, 2000):                         # a busy machine gets a second chance
    try:
        got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b"], 3, patience)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    if str(got) == str(right):
        break
told = Told(asked=f"b skips steps 0 and 1 and sends step 2, {early}, at once", got=got, expected=right,
            reread="the text of exercise 4")
assert type(got) is list and len(got) == 3, told("the result is not a list with one entry for each step")
assert all(isinstance(r, dict) and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
means = [r["mean"] and [round(float(value), 3) for value in r["mean"]] for r in got]
assert not means[0] or means[0][0] in (2., 1.), told("a prediction for step 2 is averaged into step 0")
assert list(got[2]["missing"]) != ["b"], told("the prediction for step 2 is lost when step 2 comes")
assert [{"mean": mean, "missing": list(r["missing"])} for mean, r in zip(means, got)] == right, told()

# %% hidden="ensemble-together" points=1 title="One timeout for the whole step, and none where all answer"
import time
import tensorflow as tf

names = [f"m{i}" for i in range(8)]
last = draw.randrange(2, 9)
with tf.Graph().as_default() as graph:
    puts = []
    for name in names:
        queue = tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)])
        queue.dequeue(name=f"{name}/next")
        queue.size(name=f"{name}/size")
        puts.append(queue.enqueue([1, [1., float(last)]]))
    tf.group(queue.enqueue([0, [4., float(last)]]), name="arrive_0")
    tf.group(*puts, name="arrive_1")
for _ in range(2):                                   # a busy machine gets a second chance
    seconds = []
    for steps, patience in ((1, 1000), (2, 1000)):
        start = time.monotonic()
        try:
            result = ensemble(graph.as_graph_def().SerializeToString(), list(names), steps, patience)
        except tf.errors.OpError as error:
            result = f"{type(error).__name__} was raised"
        seconds.append(time.monotonic() - start)
    if seconds[0] < 5:
        break
right = [{"mean": [4., last], "missing": names[:-1]}, {"mean": [1., last], "missing": []}]
got = "the right result" if result == right else str(result)[:300]
told = Told(asked="8 models: at step 0 only the last one answers, at step 1 all; timeout_ms=1000",
            got=f"{got}, step 0 after {seconds[0]:.1f} seconds",
            expected="the right means, step 0 after 1 second",
            reread="the text of exercise 4")
assert type(result) is list and len(result) == 2 and isinstance(result[0], dict), told(
    "the result is not a list with a dict of mean and missing for each step")
assert result[0].get("mean") is not None, told("the last model had answered, and is not in the mean")
assert result == right, told()
assert seconds[0] < 5, told("each stopped model costs a timeout of its own")

# %% hidden="ensemble-waits" points=1 title="It waits for one that has not answered yet, and no longer"
import time
import tensorflow as tf

late = float(draw.randrange(3, 9))
names = [f"m{i}" for i in range(8)]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in names}
    for m in names[:-1]:
        queues[m].dequeue(name=f"{m}/next")
        queues[m].size(name=f"{m}/size")
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float64, 0.)
    due = table.lookup(tf.constant("late"))          # from then on the last prediction is there
    there = tf.while_loop(lambda now: now < due, lambda now: tf.timestamp(), [tf.timestamp()])
    with tf.control_dependencies(there):
        tf.raw_ops.IdentityN(input=queues["m7"].dequeue(), name="m7/next")
    tf.where(tf.timestamp() < due, 0, queues["m7"].size(), name="m7/size")
    for i in range(2):
        puts = [queues[m].enqueue([i, [1., 5.]]) for m in names[:-1]]
        tf.group(*puts, queues["m7"].enqueue([i, [late, 5.]]),
                 table.insert("late", tf.timestamp() + 2.5 * (1 - i)), name=f"arrive_{i}")
start = time.monotonic()
try:
    got = ensemble(graph.as_graph_def().SerializeToString(), list(names), 2, 8000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
seconds = time.monotonic() - start
right = [{"mean": [(7 + late) / 8, 5.], "missing": []}] * 2
told = Told(asked=f"2 steps; 7 models answer [1, 5] at once, m7 [{late}, 5], first after 2.5 s; timeout 8000",
            got=f"{got}, after {seconds:.1f} seconds", expected=f"{right}, after about 2.5 seconds",
            reread="the text of exercise 4")
assert type(got) is list and len(got) == 2 and isinstance(got[0], dict), told(
    "the result is not a list with a dict of mean and missing for each step")
assert not got[0].get("missing") or seconds > 8, told("gave a model up before timeout_ms were over")
assert got == right, told()
assert seconds < 12, told("waits although all have answered")

# %% hidden="ensemble-nobody" points=1 title="Nobody answers: the mean is None"
import tensorflow as tf

value = float(draw.randrange(1, 9))
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "ba"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next")
        queue.size(name=f"{model}/size")
    tf.no_op(name="arrive_0")
    tf.group(queues["a"].enqueue([1, [value, value]]), name="arrive_1")
right = [{"mean": None, "missing": ["b", "a"]}, {"mean": [value, value], "missing": ["b"]}]
for patience in (300, 2000):                         # a busy machine gets a second chance
    try:
        got = ensemble(graph.as_graph_def().SerializeToString(), ["b", "a"], 2, patience)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    if str(got) == str(right):
        break
told = Told(asked="nobody answers step 0; a answers step 1", got=got, expected=right,
            reread="the text of exercise 4")
assert type(got) is list and len(got) == 2, told("the result is not a list with one entry for each step")
assert got[1]["missing"] == ["b"], told()
assert got[0]["mean"] is None, told("if nobody answers, the mean is None")
assert got == right, told()

# %% [markdown]
# ## Sitting 3 · Today: tf.data and threads
#
# ## 10 An input pipeline
#
# Today `tf.data` does the work of input queues. The queue is still in it: `prefetch(3)` is a thread and a queue with
# three places. How far does the producer run ahead?

# %% grading="skip"
made = []

def numbers_made():
    for number in range(100):
        made.append(number)
        yield number

signature = tf.TensorSpec([], tf.int32)
dataset = tf.data.Dataset.from_generator(numbers_made, output_signature=signature).prefetch(3)
elements = iter(dataset)
first = next(elements)
wait_until(lambda: len(made) >= 4)
time.sleep(0.3)
print("taken: 1, made:", len(made))
del elements, dataset                                # ends the thread and its queue

# %% [markdown]
# One taken, three in the queue, and no more. That is backpressure again: the generator is asked for the next element
# only when there is a place for it.
#
# Real data lies in many files, **shards**, on disks of different speed. Three shards as TFRecord files: the first is
# slow (a record takes half a second for each `slow` that it says), and the third is damaged: its end is missing.
# (`write_shards`, a helper, makes them.)

# %%
decoded = []                                         # what was read until now

def decode_record(record):
    """The number in a record; half a second later for each 'slow' in front of it."""
    words = record.decode().split()
    decoded.append(words[-1])
    time.sleep(0.5 * words.count("slow"))
    return np.int64(words[-1])

def open_shard(path):
    """A tf.data.Dataset of the numbers in one file."""
    def decode(record):
        return tf.ensure_shape(tf.numpy_function(decode_record, [record], tf.int64), [])

    return tf.data.TFRecordDataset(path).map(decode)

# %% grading="skip"
shards = [["slow 1", "2", "3"], ["11", "12", "13"], ["21", "22", "damaged"]]
shard_folder = tempfile.TemporaryDirectory()
paths = write_shards(shard_folder.name, shards)

def show_elements(dataset):
    """Print each element with the second in which it came; then the end, or the error."""
    start = time.monotonic()
    try:
        for element in dataset:
            print(f"{element.numpy()} ({time.monotonic() - start:.1f} s)", end="  ")
        print("end")
    except tf.errors.OpError as error:
        print(type(error).__name__)

# %% [markdown]
# `interleave` opens several shards at once and takes from them in turns. With `num_parallel_calls` they are read in
# parallel; `deterministic=False` says that an element may come as soon as it is there, out of turn.

# %% grading="skip"
files = tf.data.Dataset.from_tensor_slices(paths)
print("in turns:         ", end="")
show_elements(files.interleave(open_shard, cycle_length=3))
print("whoever is ready: ", end="")
freely = {"cycle_length": 3, "num_parallel_calls": 3, "deterministic": False}
show_elements(files.interleave(open_shard, **freely))

# %% [markdown]
# In turns, the slow shard holds up all others: it is a **straggler**. Then the shards that are ready go ahead.
# But both ways end with `DataLossError`: the damaged shard ends everything, and what comes after it is lost. `ignore_errors` leaves out
# what cannot be read. It has to come before `batch`, for a batch with an error in it is left out as a whole.

# %% grading="skip"
def open_safely(path):
    return open_shard(path).ignore_errors()

safe = files.interleave(open_safely, cycle_length=3, num_parallel_calls=3, deterministic=False)
show_elements(safe)
print("batches:", [batch.numpy().tolist() for batch in safe.batch(3)])

# %% [markdown]
# Nobody told you that records are missing! Count what you read, and compare it with what there should be. (The last
# batch may be smaller; `batch(3, drop_remainder=True)` drops it, silently, too.)
#
# ## 11 A hand-over between threads
#
# When Python threads make the data (a camera, a message bus, a simulator), a queue joins them with the training loop:
# Python's `queue.Queue(maxsize)`, or TensorFlow's, which works in eager mode too, without a session. The plain
# hand-over in a few lines:

# %% grading="skip"
import queue as python_queue

def handed_over(source, places):
    """Yield the elements of `source`, which a thread makes ahead; at most `places` of them wait."""
    waiting = python_queue.Queue(maxsize=places)
    end = object()

    def produce():
        for element in source:
            waiting.put(element)                     # waits while the queue is full: backpressure
        waiting.put(end)

    threading.Thread(target=produce, daemon=True).start()
    while (element := waiting.get()) is not end:
        yield element

print(list(handed_over(range(5), places=2)))

# %% [markdown]
# It works, as long as nothing goes wrong. Three things can:
#
# * **The producer fails.** Its thread ends with an error that nobody sees, `end` never comes, and the consumer waits
#   for ever. So catch the error in the thread, hand it over, and raise it in the consumer.
# * **The consumer stops early.** The producer waits for a free place, for ever: a thread that never ends. So the
#   consumer must be able to cancel it.
# * **There are several producers.** The first that ends must not end the others.
#
# TensorFlow's queue can be closed, which is the easier way out:

# %% grading="skip"
eager_queue = tf.queue.FIFOQueue(2, tf.float32, shapes=[()])

def keep_putting():
    for number in range(100):
        eager_queue.enqueue(float(number))

producer = in_background(keep_putting)
print("taken:", [float(eager_queue.dequeue()) for _ in range(3)])
eager_queue.close(cancel_pending_enqueues=True)
print("the producer ended with", type(producer.exception(timeout=20)).__name__)
print("drained:", [float(eager_queue.dequeue()) for _ in range(int(eager_queue.size()))])

# %% [markdown]
# (Close it once: a second `close` raises `CancelledError`.) But in eager mode **no timeout exists**. A future's timeout is
# something else:

# %% grading="skip"
lonely_queue = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
impatient = in_background(lonely_queue.dequeue)
try:
    impatient.result(timeout=0.5)
except concurrent.futures.TimeoutError:
    print("I gave up waiting")
lonely_queue.enqueue(7.)
print("the thread got", impatient.result(20).numpy(), "- left:", int(lonely_queue.size()))

# %% [markdown]
# *You* stopped waiting, but the `dequeue` did not: it **stole** the next element. If you are the only consumer, look
# at `size()` before you take. Or close the queue, which frees whoever waits.
#
# To train from threads with `fit` or a loop over a dataset, wrap the consumer in `tf.data.Dataset.from_generator`. When
# the iterator is deleted, the generator is closed: what stands after its `finally:` runs, and can cancel the producers.
#
# ## 12 Then and now
#
# Old programs had three relatives of the FIFO queue, which block, close and time out like it. A `RandomShuffleQueue`
# gives a random element, and keeps `min_after_dequeue` of them back until it is closed. A `PaddingFIFOQueue` fills up
# short elements when it gives several. A `PriorityQueue` gives the element with the smallest key. The first two:

# %% grading="skip"
with tf.Graph().as_default() as shuffling:
    shuffled = tf.queue.RandomShuffleQueue(20, min_after_dequeue=3, dtypes=tf.int32, shapes=[()])
    fill = shuffled.enqueue_many([list(range(8))])
    take, close = shuffled.dequeue(), shuffled.close()
with v1.Session(graph=shuffling) as session:
    session.run(fill)
    print("taken:", [int(session.run(take)) for _ in range(5)])
    attempt(session.run, take, options=within(300))
    session.run(close)
    print("after close:", [int(session.run(take)) for _ in range(3)])
padded = tf.queue.PaddingFIFOQueue(9, tf.int32, shapes=[(None,)])
for words in ([1], [2, 3], [4, 5, 6]):
    padded.enqueue(tf.constant(words))
print(padded.dequeue_many(3).numpy().tolist())

# %% [markdown]
# And somebody had to call `enqueue` again and again. A **QueueRunner** has threads for it, and a **Coordinator** is what
# they ask: *shall we stop?* If you forgot to start the runners, the first `run` hung: the most common hang of
# TensorFlow 1.

# %% grading="skip"
tf.get_logger().setLevel("ERROR")                    # QueueRunner is deprecated
with tf.Graph().as_default() as counting:
    numbers = tf.queue.FIFOQueue(4, tf.float32, shapes=[()])
    runner = v1.train.QueueRunner(numbers, [numbers.enqueue(1.)] * 2)   # two threads that put
    take = numbers.dequeue()
with v1.Session(graph=counting) as session:
    coordinator = tf.train.Coordinator()
    threads = runner.create_threads(session, coordinator, start=True)
    print([float(session.run(take)) for _ in range(6)])
    coordinator.request_stop()                       # sets a flag; a thread then closes the queue
    coordinator.join(threads, stop_grace_period_secs=20)
    print("threads alive:", sum(thread.is_alive() for thread in threads))

# %% [markdown]
# | classic (`tf.compat.v1`, in a graph) | today |
# | --- | --- |
# | `tf.FIFOQueue(n)` and threads that fill it | `dataset.prefetch(n)`; or `tf.queue.FIFOQueue(n)`, also eager; `queue.Queue(n)` between Python threads |
# | `RandomShuffleQueue(c, min_after_dequeue=n)` | `dataset.shuffle(n)` |
# | `PaddingFIFOQueue`, `dequeue_many(n)` | `dataset.padded_batch(n)` |
# | `dequeue_many(n)` / `dequeue_up_to(n)` | `dataset.batch(n, drop_remainder=True)` / `dataset.batch(n)` |
# | `PriorityQueue` | `tf.queue.PriorityQueue`; no counterpart in `tf.data` |
# | `QueueRunner`, `Coordinator`, `start_queue_runners` | nothing: a dataset starts and ends its threads itself |
# | several threads in a QueueRunner | `dataset.map(f, num_parallel_calls=n)`, `interleave` |
# | `queue.close()`, then `OutOfRangeError` | the `for` loop ends |
# | `RunOptions(timeout_in_ms=…)` | nothing for eager ops: ask `size()`, or close |
# | `ConfigProto(operation_timeout_in_ms=…)` | nothing for eager ops |
#
# So for *feeding data* take `tf.data`. Waits with an end are rare in today's TensorFlow: collective operations have one,
# `tf.distribute.experimental.CommunicationOptions(timeout_seconds=…)` (lesson 09); services that answer requests get
# theirs from the deadline of the RPC. Between programs of your own, queues with sessions still give it.
#
# ## Back to the shop
#
# The third model's machine froze, and the client waited for it without a timeout: every customer waited with it. With a
# timeout for the whole step the client answers from two models (exercise 4). With a timeout on the feeder the full
# input queue of the third stops nobody (section 7). When the machine wakes up, the step in each element keeps its old
# answers out of new means. The session's `operation_timeout_in_ms` is the net under all of it: at night, an error in
# the log is better than silence.
#
# ## Recap
#
# 1. A full queue makes producers wait, an empty one consumers. Its length tells which side is slower; a bound gives
#    backpressure.
# 2. A timeout cancels the call, and the call takes nothing later. But what it had already moved stays moved: the lost
#    pair of `dequeue_many`, the element of a run that also works.
# 3. `DeadlineExceededError` is "not yet", `OutOfRangeError` is "the end", `CancelledError` is "stop".
# 4. At the end: close with cancel, join, drain, close the session. A plain `close` waits for pending puts, and no
#    timeout frees it.
# 5. A queue per model, one timeout for the step, and the step in each element: so an ensemble outlives a model that
#    hangs.
#
# | question | where the answer is |
# | --- | --- |
# | How long may this call wait? | `RunOptions.timeout_in_ms`; 0 or less is no bound |
# | And all those that I forgot? | `ConfigProto.operation_timeout_in_ms` |
# | Who is slower? | `queue.size()` over time |
# | Who waits for whom? | all sizes, and where each thread stands |
# | Is more coming? | `queue.is_closed()`, or the error that you get |
#
# **Read on:** lesson 05, *Control dependencies*: order inside one graph. Lesson 06, *Clusters*: where servers and
# their addresses come from. Lesson 07 trains an ensemble of this kind.

# %% [markdown] exercise="pipeline"
# ### Exercise 5 · A pipeline that a bad shard does not stop
#
# Write `input_pipeline(paths, n, ahead)`. It returns a `tf.data.Dataset` over the shards at `paths`, each opened by
# `open_shard` of section 10:
#
# * Every record that can be read comes once {#1}. A shard that is damaged gives the records in front of the damage, and
#   stops neither the others nor the dataset {#2}.
# * All shards are read at the same time, however many there are {#8}; a slow one does not hold up what the others have
#   ready {#3}.
# * The elements are batches of `n` numbers {#4}; the last one may be smaller {#5}.
# * While the consumer works, up to `ahead` **batches** are made ahead {#6}; the pipeline does not read everything at
#   once {#7}.
#
# Example: for the shards `["slow 1", "2", "3"]`, `["11", "12", "13"]` and `["21", "22", "damaged"]` and `n=3`, there are
# three batches with 1, 2, 3, 11, 12, 13, 21, 22 in some order; 1 is in the last one. `fed` in the stub writes shards and
# uses your pipeline, for you and for the checks.

# %% solution="pipeline" kind="today"
def input_pipeline(paths, n, ahead):
    """Batches of numbers from all shards, made ahead.

    Args:
        paths: list of str, TFRecord files.
        n: int, numbers in a batch.
        ahead: int, batches that may be made ahead, 1 or more.
    Returns:
        tf.data.Dataset of int64 tensors of shape (n,); the last one may be shorter.
    """
    ### BEGIN SOLUTION
    shards = tf.data.Dataset.from_tensor_slices(paths)
    numbers = shards.interleave(
        lambda path: open_shard(path).ignore_errors(),
        cycle_length=len(paths),
        num_parallel_calls=len(paths),
        deterministic=False,
    )
    return numbers.batch(n).prefetch(ahead)
    ### END SOLUTION

def fed(shards, n, ahead):
    """Given, for the checks: your batches; the records read, and the shards begun, when one was taken."""
    decoded.clear()
    with tempfile.TemporaryDirectory() as folder:
        paths = write_shards(folder, shards)
        options = tf.data.Options()
        options.threading.private_threadpool_size = 16        # also on a machine with few cores
        elements = iter(input_pipeline(paths, n, ahead).with_options(options))
        batches = []
        read = begun = 0
        error = ""
        try:
            for number, batch in enumerate(elements):
                batches.append(batch.numpy().tolist())
                if number == 0:
                    read = settled(lambda: len(decoded))
                    begun = sum(not set(decoded).isdisjoint(shard) for shard in shards)
        except tf.errors.OpError as problem:
            error = type(problem).__name__
    return {"batches": batches, "read": read, "begun": begun, "error": error}

# %% try="pipeline"
try:
    shards = [["slow 1", "2", "3"], ["11", "12", "13"], ["21", "22", "damaged"]]
    print(fed(shards, 3, 2))
except NotImplementedError as error:
    print(error)

# %% check="pipeline-records" points=2 title="All records once, in batches"
shards = [["1", "2", "3", "4"], ["11", "12"], ["21", "22", "23", "24", "25"]]
got = fed(shards, 4, 2)
batches = got["batches"]
told = Told(asked=f"three good shards, {shards}, batches of 4", got=got["error"] or batches,
            expected="two batches of 4 and one of 3, with all 11 numbers once, in some order",
            reread="section 10, An input pipeline")
assert not got["error"], told()
assert all(type(batch) is list for batch in batches), told("the elements are single numbers, not batches")
numbers = sorted(number for batch in batches for number in batch)
right = sorted(int(text) for shard in shards for text in shard)
assert sorted(set(numbers)) != right or numbers == right, told("some records come more than once")
assert [len(batch) for batch in batches] != [4, 4], told("the last batch, which is smaller, is missing")
assert numbers == right, told()
assert [len(batch) for batch in batches] == [4, 4, 3], told("the batches have other sizes")

# %% check="pipeline-slow" points=2 title="A slow shard and a damaged one stop nobody"
shards = [["1", "2", "3", "damaged"], ["slow 11", "12", "13", "14", "15"]]
got = fed(shards, 8, 2)                              # the damage comes before the batch is full
told = Told(asked=f"shards {shards}, batches of 8", got=got["error"] or got["batches"],
            expected="one batch with all 8 numbers", reread="section 10, An input pipeline")
came = {number for batch in got["batches"] if type(batch) is list for number in batch}
assert got["error"] or not came or {1, 2, 3} <= came, told(
    "1, 2 and 3 are lost, with the batch that they were in: leave out errors before `batch`")
for halves in (1, 2, 6):                             # a busy machine gets more time
    shards = [["slow " * halves + "1", "2", "3"], ["11", "12", "13"], ["21", "damaged"]]
    got = fed(shards, 7, 2)
    numbers = [number for batch in got["batches"] if type(batch) is list for number in batch]
    if numbers[4:] == [1, 2, 3]:
        break
told = Told(asked=f"shards {shards}, batches of 7", got=got["error"] or got["batches"],
            expected="11, 12, 13, 21 in some order, then 1, 2, 3",
            reread="section 10, An input pipeline")
assert not got["error"], told("the damaged shard ends the whole dataset")
assert all(type(batch) is list for batch in got["batches"]), told(
    "the elements are single numbers, not batches")
assert 21 in numbers, told("the record in front of the damage is lost")
assert sorted(numbers) == [1, 2, 3, 11, 12, 13, 21], told()
assert numbers[4:] == [1, 2, 3], told("records of other shards wait for the slow one")

# %% hidden="pipeline-many" points=2 title="Other shards, damage in another place"
first = draw.randrange(100, 200)
slow = [f"slow {first}", str(first + 1)]
quick = [str(first + 50 + i) for i in range(5)]
broken = [str(first + 80 + i) for i in range(draw.randrange(2, 5))]
shards = [quick, slow, [*broken, "damaged"]]
got = fed(shards, 1, 2)
numbers = [number for batch in got["batches"] if type(batch) is list for number in batch]
good = sorted(int(text) for text in [*quick, *broken])
told = Told(asked=f"shards with {quick}, {slow}, and {broken} and then damaged; batches of 1",
            got=got["error"] or got["batches"], expected=f"{good} and {first}, {first + 1}, each once",
            reread="section 10, An input pipeline")
assert not got["error"], told("the damaged shard ends the whole dataset")
assert all(type(batch) is list for batch in got["batches"]), told(
    "the elements are single numbers, not batches")
assert not set(int(text) for text in broken) - set(numbers), told("records in front of the damage are lost")
assert sorted(numbers) == sorted([*good, first, first + 1]), told()

# %% hidden="pipeline-ahead" points=1 title="It reads all shards ahead, but not everything"
n, ahead = draw.randrange(40, 60), draw.randrange(3, 5)
shards = [[str(1000 * i + k) for k in range(200)] for i in range(10)]
got = fed(shards, n, ahead)
due = n * (1 + ahead)
told = Told(asked=f"2000 records in 10 shards, n={n}, ahead={ahead}; one batch is taken",
            got=f"{got['read']} records of {got['begun']} shards were read by then",
            expected=f"about {due} of all 10: {ahead} batches ahead",
            reread="section 10, An input pipeline")
assert not got["error"], told()
assert all(type(batch) is list for batch in got["batches"]), told(
    "the elements are single numbers, not batches")
assert got["read"] < 2000, told("everything is read before the first batch is used")
assert due <= got["read"] + 2, told("fewer batches are made ahead")
assert got["read"] <= due + n + 60, told("more batches are made ahead")
assert got["begun"] == 10, told("some shards are not read before others have ended")

# %% hidden="pipeline-last" points=1 title="Other numbers, the last batch smaller"
n = draw.randrange(3, 7)
count = n * draw.randrange(2, 4) + draw.randrange(1, n)
shards = [[str(number) for number in range(50, 50 + count)], []]
got = fed(shards, n, 1)
right = [list(range(50, 50 + count))[i:i + n] for i in range(0, count, n)]
told = Told(asked=f"one shard with {count} numbers and an empty one, n={n}",
            got=got["error"] or got["batches"],
            expected=right, reread="the text of exercise 5")
assert not got["error"], told()
assert all(type(batch) is list for batch in got["batches"]), told(
    "the elements are single numbers, not batches")
assert got["batches"] != right[:-1], told("the last batch, which is smaller, is missing")
assert got["batches"] == right, told()

# %% [markdown] exercise="merged"
# ### Exercise 6 · Several threads, one dataset
#
# Write `merged(sources, places)`. `sources` is a list of Python iterators that give floats, some of them slowly. It
# returns a `tf.data.Dataset` of float32 scalars:
#
# * Each source is read by a thread of its own, so that a slow one does not hold up the others {#1}.
# * Every element comes once, and the elements of one source in their order {#2}.
# * The sources run ahead, until `places` elements, of all together, wait in a queue {#3}; then they have to wait: beyond
#   that, each source may have one more element in hand {#4}.
# * The dataset ends when all sources have ended {#5}.
# * If a source raises an error, the others go on. When their elements have come, the dataset raises an error, too; it
#   does not end as if all were well {#6}.
# * If the consumer stops early and deletes the iterator, all threads end {#7}.
#
# It is used once. Example: `merged([iter([1., 2.]), iter([5.])], 3)` gives 1, 2 and 5 in some order, 1 before 2. `drained`
# in the stub makes sources and uses your dataset, for you and for the checks.

# %% grading="skip"
def readings(numbers, seconds, fails, log):
    """A source: gives the numbers, each after some seconds, and notes it; then ends, or fails."""
    for number in numbers:
        time.sleep(seconds)
        log.append(threading.current_thread())
        yield number
    if fails:
        raise OSError("the cable is broken")

# %% solution="merged" kind="today"
def merged(sources, places):
    """A dataset of what several iterators give, each read by a thread of its own.

    Args:
        sources: list of iterators that give float.
        places: int, elements that may wait, 1 or more.
    Returns:
        tf.data.Dataset of float32 scalars; it raises an error at its end if a source has failed.
    """
    ### BEGIN SOLUTION
    def elements():
        waiting = tf.queue.FIFOQueue(places, tf.float32, shapes=[()])
        running, errors, lock = list(sources), [], threading.Lock()

        def close():
            with lock:
                if not waiting.is_closed():
                    waiting.close(cancel_pending_enqueues=True)

        def produce(source):
            try:
                for element in source:
                    waiting.enqueue(element)
            except tf.errors.CancelledError:
                pass                                 # the consumer has gone
            except Exception as error:
                errors.append(error)
            with lock:
                running.remove(source)
            if not running:
                close()

        for source in sources:
            threading.Thread(target=produce, args=(source,), daemon=True).start()
        try:
            while True:
                try:
                    element = waiting.dequeue()
                except tf.errors.OutOfRangeError:
                    break
                yield element
        finally:
            close()
        if errors:
            raise errors[0]

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
    ### END SOLUTION

def drained(described, places, take):
    """Given, for the checks: sources of [numbers, seconds, fails]; take: how many, None for all."""
    logs = [[] for _ in described]
    sources = [readings(*source, log) for source, log in zip(described, logs)]
    values = []
    error = ""
    elements = iter(merged(sources, places))
    try:
        while take is None or len(values) < take:
            values.append(float(next(elements)))
    except StopIteration:
        pass
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"[-300:]
    made = settled(lambda: sum(len(log) for log in logs))
    del elements
    threads = {thread for log in logs for thread in log}
    end = time.monotonic() + 5
    others = [one for one in threads if isinstance(one, threading._DummyThread)]  # Python did not start these
    own = threads.difference(others)
    while any(map(threading.Thread.is_alive, own)) and time.monotonic() < end:
        time.sleep(0.02)
    alive = len(others) + sum(map(threading.Thread.is_alive, own))
    return {"values": values, "error": error, "made": made, "threads": len(threads), "alive": alive}

# %% try="merged"
try:
    print(drained([[[1., 2.], 0., False], [[5.], 0., False]], 3, None))
except NotImplementedError as error:
    print(error)

# %% check="merged-all" points=2 title="All elements once, each source in its order, by threads"
described = [[[1., 2., 3., 4.], 0., False], [[11., 12.], 0.2, False], [[21., 22., 23.], 0., False]]
got = drained(described, 2, None)
told = Told(asked=f"three sources with {[numbers for numbers, _, _ in described]}, places=2", got=got,
            expected="all 9 elements once, those of a source in their order; three threads",
            reread="section 11, A hand-over between threads")
assert not got["error"], told()
right = sorted(number for numbers, _, _ in described for number in numbers)
assert not set(right) - set(got["values"]), told("some elements never came")
assert sorted(got["values"]) == right, told()
for numbers, _, _ in described:
    assert [value for value in got["values"] if value in numbers] == numbers, told(
        "the elements of a source are not in its order")
assert got["threads"] == 3, told("not each source is read by a thread of its own")

# %% check="merged-ahead" points=1 title="Ahead by places, and no further"
numbers = [float(number) for number in range(60)]
got = drained([[numbers, 0., False]], 5, 2)
told = Told(asked="one source with 60 numbers, places=5; 2 are taken, then nobody takes any more",
            got=f"{got['made']} were made; {got}"[:300], expected="about 8: 2 taken, 5 wait, 1 in hand",
            reread="section 6, The length tells who waits")
assert got["values"] == [0., 1.], told()
assert got["made"] < 60, told("the source was never made to wait: everything was made at once")
assert got["made"] >= 7, told("the source does not run ahead")
assert got["made"] <= 11, told("the source runs further ahead than places allows")
got = drained([[numbers, 0., False]] * 3, 12, 2)
told = Told(asked="three such sources, places=12; 2 are taken, then nobody takes any more",
            got=f"{got['made']} were made; {got}"[:300], expected="about 17: 2 taken, 12 wait, 3 in hand",
            reread="section 6, The length tells who waits")
assert len(got["values"]) == 2, told()
assert got["made"] >= 14, told("together the sources run less far ahead than places says")
assert got["made"] <= 24, told("places is for all sources together, not for each")

# %% hidden="merged-fails" points=2 title="A source fails"
good = [float(number) for number in draw.sample(range(100, 200), 5)]
short = [float(number) for number in draw.sample(range(10, 90), 2)]
got = drained([[short, 0., True], [good, 0.02, False]], 3, None)
told = Told(asked=f"a source that fails after {short}, and one with {good}", got=got,
            expected="all 7 elements, then an error", reread="section 11, A hand-over between threads")
assert set(short) <= set(got["values"]), told("elements that came before the error are lost")
assert set(good) <= set(got["values"]), told("the source that failed has stopped the other one")
assert sorted(got["values"]) == sorted([*short, *good]), told()
assert got["error"], told("the dataset ends as if all were well, although a source has failed")

# %% hidden="merged-stops" points=1 title="The consumer stops early: all threads end"
numbers = [float(number) for number in range(draw.randrange(300, 400))]
got = drained([[numbers, 0., False], [numbers, 0.001, False]], 4, 3)
told = Told(asked="two sources with over 300 numbers; 3 are taken, then the iterator is deleted",
            got=f"{got['alive']} of {got['threads']} threads still live after 5 seconds",
            expected="no thread lives", reread="section 11, A hand-over between threads")
assert len(got["values"]) == 3 and not got["error"], told()
assert got["threads"] == 2, told("not each source is read by a thread of its own")
assert got["alive"] == 0, told("a thread still waits for a free place, and nobody will ever make one")

# %% hidden="merged-slow" points=1 title="A slow source does not hold up the others"
quick = [float(number) for number in draw.sample(range(100, 200), 6)]
for _ in range(3):                                   # a busy machine gets other chances
    got = drained([[[1., 2.], 0.5, False], [quick, 0., False]], 2, None)
    if got["values"] == [*quick, 1., 2.]:
        break
told = Told(asked=f"a source with 1 and 2, half a second for each, and a quick one with {quick}", got=got,
            expected=[*quick, 1., 2.], reread="the text of exercise 6")
assert sorted(got["values"]) == sorted([*quick, 1., 2.]), told()
assert got["values"] == [*quick, 1., 2.], told("the quick source waits for the slow one")

# %% [markdown] exercise="smaller"
# ### Exercise 7 · In your own words
#
# A colleague trains from a queue with `dequeue_many(32)`. Sometimes the data came late, and the program hung. So she
# set `operation_timeout_in_ms` to 10 seconds; on `DeadlineExceededError` she calls `dequeue_many(32)` again, up to
# ten times. Now it never hangs, but an epoch has fewer examples than the data set, and the number changes from run to
# run. Explain in three to six sentences where the examples went, how she could have noticed, and what she should do
# instead. Say also what her timeout is still good for.

# %% [markdown] written="smaller" points=3
# ### BEGIN SOLUTION
# Each dequeue_many that runs into the timeout loses what it had already taken. She should take elements one by one.
# ### END SOLUTION

# %% [markdown] model="smaller"
# <details>
# <summary>A model answer: open it after you have written your own</summary>
#
# `dequeue_many(32)` takes what is there, holds it, and waits for the rest. When the timeout cancels the call, the
# elements that it held are gone: up to 31 for each timeout. How many depends on how late the data was, so it changes
# from run to run. She could have compared the number of examples put with the number taken (and left in the
# queue); no error says that they are lost. Instead she should take elements one by one, by a `dequeue` that does
# nothing else, and keep those that she has over a timeout. Or she lets `dequeue_many` wait without a timeout, and the
# producer closes the queue at the end. Or she uses `tf.data`, whose `batch` waits without a timeout and loses nothing. The session's
# timeout is still good as a net: it turns a hang that nobody foresaw, such as a deadlock or a dead producer, into an
# error.
#
# One point each: the cancelled call loses what it held; how to notice it; what to do instead, and what the timeout is
# good for.
# </details>
