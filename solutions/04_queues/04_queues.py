# %% [markdown]
# # Lesson 04 · Queues with timeouts
#
# After this lesson you can
#
# 1. join programs that run at the same time by a queue, and say who waits for whom;
# 2. bound every wait by a timeout, and know what it loses and what it keeps;
# 3. stop such a program so that nothing is lost and nobody waits for ever, and find a deadlock.
#
# **Time:** about 110 minutes, of which 55 are exercises. Two sittings are better: after section 5 is a place to stop.
#
# **Hardware:** CPU only. Queues live in the host's memory, so a GPU changes nothing here.
#
# Six grey cells come first. They are folded, because you need not read them. Run all six.

# %% include="quiet_start.py"

# %% include="checks.py"

# %% include="queue_lengths.py"

# %% include="queue_widget.py" grading="skip"

# %% include="model_processes.py" grading="skip"

# %% [markdown]
# ## The idea in one picture
#
# ![On the left two producers put elements into a queue with four places, of which three are taken; on the right a consumer takes the oldest element out. Below, three cases. Queue full: the producer waits, until a place is free, the queue is cancelled, or a timeout ends the wait. Queue empty: the consumer waits, until an element comes, the queue is closed, or a timeout ends the wait. In between: nobody waits.](assets/04_queue.svg)
#
# A **queue** stands between sides that work at different speeds. Whoever puts into a *full* queue waits. Whoever
# takes from an *empty* one waits. That is its use, and its danger: if the other side has died, the wait never ends.
# So this lesson is about waiting: how to bound it, and how to end it.
#
# ## 1 A queue between two sides
#
# A queue of the classic form is a part of a graph. This one holds up to 10 numbers, first in, first out:

# %%
v1 = tf.compat.v1
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

# %% predict="first-three"
# Predict: what do three runs of take_plus_one give, and how many elements are left?
values, left = [..., ..., ...], ...

# %% grading="skip"
print([float(session.run(take_plus_one)) for _ in range(3)])
print("elements in the queue:", session.run(size))

# %% [markdown]
# Each **run** of `take_plus_one` takes one element out, the oldest. The *graph* only describes the queue. The
# elements live in the **session**, as the values of variables do: another session has a queue of its own.

# %% grading="skip"
session.run(put, {x: 100})
with v1.Session(graph=graph) as other:
    print("elements: here", session.run(size), "| in another session", other.run(size))
print("taken:", session.run(take_plus_one))

# %% [markdown]
# ## 2 The fourth dequeue blocks
#
# You put three numbers in and took three out. What does a fourth `dequeue` do? It **blocks**: `session.run` does not
# return. Alone, your notebook would hang, and even its stop button would not help, since the wait is inside
# TensorFlow's C++ code. You would have to restart the kernel.
#
# So let another thread wait. `in_background` calls a function in a thread of its own. It returns a *future*, which
# later has the result.

# %%
import concurrent.futures, threading, time

def in_background(function, *args, **options):
    """Call function(*args, **options) in a thread; the Future gets its result or its error."""
    future = concurrent.futures.Future()
    def work():
        try:
            future.set_result(function(*args, **options))
        except Exception as error:
            future.set_exception(error)
    threading.Thread(target=work, daemon=True).start()
    return future

# %% predict="fourth"
# Predict: the queue is empty; a thread runs take_plus_one; then you put 4. What does the thread get?
thread_gets = ...

# %% grading="skip"
fourth = in_background(session.run, take_plus_one)
time.sleep(0.5)
print("after half a second, has it returned?", fourth.done())
session.run(put, {x: 4})
print("after another element was put:", fourth.result(timeout=20))

# %% [markdown]
# The thread slept in the queue, without using the processor, until an element came. `enqueue` into a full queue waits
# in the same way for a free place.
#
# ## 3 Two timeouts
#
# A **timeout** bounds a wait. There are two places for it: in the options of *one call*, or in the configuration of
# the *session*. `attempt` shows what a call gives, or its error in one line, and how long it took.

# %%
def attempt(run, *args, label="", **options):
    """Print the label, what run(...) returns, or its error in one line, and the seconds that it took."""
    start = time.monotonic()
    try:
        outcome = run(*args, **options)
    except tf.errors.OpError as error:
        reason = error.message.split("\n\t [[")[0].strip().splitlines()[-1]
        outcome = f"{type(error).__name__}: {reason}"
    print(f"{label}{time.monotonic() - start:.1f} s  {outcome}")

def within(milliseconds):
    return v1.RunOptions(timeout_in_ms=milliseconds)

# %% grading="skip"
attempt(session.run, take_plus_one, options=within(1000))

# %% [markdown]
# `DeadlineExceededError`: the time is over. *Notification* is TensorFlow's word for "the run has ended". Now for a
# whole session:

# %% grading="skip"
config = v1.ConfigProto(operation_timeout_in_ms=1000)
with v1.Session(graph=graph, config=config) as bounded:
    attempt(bounded.run, take_plus_one)

# %% predict="both"
# Predict: the session says 500 ms. One call says 200 ms, one says 900 ms. How long does each of them wait?
says_200, says_900 = ..., ...

# %% grading="skip"
config = v1.ConfigProto(operation_timeout_in_ms=500)
with v1.Session(graph=graph, config=config) as bounded:
    for milliseconds in (200, 900, 0):
        attempt(bounded.run, take_plus_one, options=within(milliseconds),
                label=f"the call says {milliseconds:3} ms: ")

# %% [markdown]
# | | `RunOptions(timeout_in_ms=…)` | `ConfigProto(operation_timeout_in_ms=…)` |
# | --- | --- | --- |
# | holds for | this call | every call of the session that brings no timeout of its own |
# | both are set | it counts, shorter or longer | counts only where the call says nothing, or 0 |
# | protects from | a wait that you foresee: a slow model, the end of a stream | a wait that you did *not* foresee: a forgotten call, a deadlock |
# | 0 means | nothing said | no timeout |
#
# Note the 0. If you compute "time that is left" and it becomes 0, you do not get a very short wait: you get the
# session's timeout, and without that an endless wait. Use at least 1.
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
    put_many, take_three = queue.enqueue_many(xs), queue.dequeue_many(3)

session.run(put_many, {xs: [6, 7]})
print("before:", session.run(size))

# %% predict="lost-pair"
# Predict: dequeue_many(3) runs into its timeout. How many elements are in the queue afterwards: 0, 1 or 2?
elements_left = ...

# %% grading="skip"
attempt(session.run, take_three, options=within(300))
print("after:", session.run(size))

# %% [markdown]
# **Both are lost.** `dequeue_many` took what was there, held it, and waited for the third. When the call was
# cancelled, what it held went with it. No error tells you so; your data set just became smaller. (`dequeue_up_to(3)`
# does the same: it takes fewer only when the queue is *closed*.)
#
# The other direction: five elements into a queue with three places.

# %% grading="skip"
with tf.Graph().as_default() as three_places:
    narrow = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
    put_five, narrow_size = narrow.enqueue_many([[1., 2., 3., 4., 5.]]), narrow.size()
with v1.Session(graph=three_places) as narrow_session:
    attempt(narrow_session.run, put_five, options=within(300))
    print("elements:", narrow_session.run(narrow_size))

# %% [markdown]
# Three are in, two are not. Whoever repeats the call puts the first three twice.
#
# Most dangerous is a run that takes from *two* queues. One has an element, the other none:

# %% grading="skip"
with tf.Graph().as_default() as pair:
    full, empty = (tf.queue.FIFOQueue(5, tf.float32, shapes=[()]) for _ in "12")
    put_one, take_both, full_size = full.enqueue(1.), [full.dequeue(), empty.dequeue()], full.size()
with v1.Session(graph=pair) as pair_session:
    pair_session.run(put_one)
    attempt(pair_session.run, take_both, options=within(300))
    print("elements in the queue that had one:", pair_session.run(full_size))

# %% [markdown]
# The run gives you everything or nothing, but the queues do not roll back. So with a timeout:
#
# | you want | do not | do |
# | --- | --- | --- |
# | n elements | `dequeue_many(n)` | take them one by one, and *keep* what you have (exercise 3) |
# | one element of each of several queues | all in one run | one call for each queue (exercise 4) |
# | to put n elements | `enqueue_many` and repeat | one by one, and count |
#
# ## 5 The end: closing, draining, cancelling
#
# A timeout says "nothing *yet*". A consumer also has to learn that nothing will come *any more*. For that, the
# producer **closes** the queue.

# %% grading="skip"
with graph.as_default():
    take, take_up_to_three, close = queue.dequeue(), queue.dequeue_up_to(3), queue.close()
session.run(put_many, {xs: [8, 9]})
session.run(close)
attempt(session.run, put, {x: 10})

# %% [markdown]
# Taking from a closed queue can give elements or an error: when which?

# %% predict="after-close"
# Predict: two elements are in a closed queue. What do these calls give, in this order?
three, up_to_three, one_more = "...", "...", "..."

# %% grading="skip"
attempt(session.run, take_three)
attempt(session.run, take_up_to_three)
attempt(session.run, take)
session.close()

# %% [markdown]
# After `close` you may not put, but you can **drain**: take what is left. `dequeue_many` refuses at once, and loses
# nothing here, since it knows that a third will never come. `dequeue_up_to` takes the rest. Then `OutOfRangeError`
# means *the end*.
#
# | error | means | a consumer should |
# | --- | --- | --- |
# | `DeadlineExceededError` | nothing came in time | try again, or answer without |
# | `OutOfRangeError` | closed and drained: the end of the data | stop; all is well |
# | `CancelledError` | a *put* was refused or broken off: the queue is closed | (a producer) stop |
# | any other | a real fault | let it out |
#
# What if somebody is waiting to *put* while you close? A plain `close` lets that put finish, so it **waits for
# it**:

# %%
def wait_until(condition, seconds=30):
    """Look again and again until condition() is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)

# %% grading="skip"
with three_places.as_default():
    narrow_take, plain_close = narrow.dequeue(), narrow.close()
    cancelling_close = narrow.close(cancel_pending_enqueues=True)

# %% grading="skip"
session = v1.Session(graph=three_places)
producer = in_background(session.run, put_five)
wait_until(lambda: session.run(narrow_size) == 3)           # three are in, and two wait
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
# **A place to stop.** Save. When you come back, click this cell and choose *Run → Run All Above Selected Cell*.

# %% [markdown]
# ## 6 Three relatives
#
# All queues block, close and time out alike. They differ in *which* element comes next. First the
# `RandomShuffleQueue`: it gives a random one. `min_after_dequeue` is the number that always stays behind.

# %% predict="shuffle"
# Predict: 8 elements, min_after_dequeue=3. How many can you take before the queue makes you wait?
can_take = ...

# %% grading="skip"
with tf.Graph().as_default() as shuffling:
    shuffled = tf.queue.RandomShuffleQueue(20, min_after_dequeue=3, dtypes=tf.int32, shapes=[()], seed=1)
    fill, take, close = shuffled.enqueue_many([list(range(8))]), shuffled.dequeue(), shuffled.close()
with v1.Session(graph=shuffling) as session:
    session.run(fill)
    print("taken:", [int(session.run(take)) for _ in range(5)])
    attempt(session.run, take, options=within(300))
    session.run(close)
    print("after close:", [int(session.run(take)) for _ in range(3)])

# %% [markdown]
# It keeps `min_after_dequeue` back so that there is always enough to mix. After `close` it gives out the rest.
#
# A `PaddingFIFOQueue` takes elements of different lengths. `dequeue_many` fills them up to the longest of *this*
# batch:

# %% grading="skip"
with tf.Graph().as_default() as padding:
    padded = tf.queue.PaddingFIFOQueue(9, tf.int32, shapes=[(None,)])
    sentence = v1.placeholder(tf.int32, [None])
    put, take_batch = padded.enqueue(sentence), padded.dequeue_many(3)
with v1.Session(graph=padding) as session:
    for words in ([1], [2, 3], [4, 5, 6]):
        session.run(put, {sentence: words})
    print(session.run(take_batch))

# %% [markdown]
# A `PriorityQueue` gives the *smallest* key first; equal keys keep their order. The key is an int64:

# %% grading="skip"
with tf.Graph().as_default() as ranking:
    ranked = tf.queue.PriorityQueue(9, tf.string, shapes=[()])
    key, job = v1.placeholder(tf.int64, []), v1.placeholder(tf.string, [])
    put, take = ranked.enqueue([key, job]), ranked.dequeue()
plain = v1.ConfigProto()                             # the graph optimiser complains about priority queues
plain.graph_options.rewrite_options.disable_meta_optimizer = True
with v1.Session(graph=ranking, config=plain) as session:
    for pair_of in ((3, "report"), (1, "alarm"), (2, "mail"), (1, "second alarm")):
        session.run(put, dict(zip((key, job), pair_of)))
    print([session.run(take)[1].decode() for _ in range(4)])

# %% [markdown]
# ## 7 Threads that fill: QueueRunner and Coordinator
#
# Somebody has to call `enqueue` again and again, in threads. The classic helpers are a **QueueRunner**, which has
# such threads, and a **Coordinator**, which they ask: *shall we stop?* By hand this is:

# %%
with tf.Graph().as_default() as counting:
    count = v1.get_variable("count", initializer=0.)
    numbers = tf.queue.FIFOQueue(4, tf.float32, shapes=[()])
    put_next, take = numbers.enqueue(v1.assign_add(count, 1.)), numbers.dequeue()
    left, init = numbers.size(), v1.global_variables_initializer()
    stop_putting = numbers.close(cancel_pending_enqueues=True)

def keep_putting(session, coordinator):
    with coordinator.stop_on_exception():            # an error here stops everybody, and join() raises it
        while not coordinator.should_stop():
            session.run(put_next)

# %% grading="skip"
with v1.Session(graph=counting) as session:
    session.run(init)
    coordinator = tf.train.Coordinator(clean_stop_exception_types=(tf.errors.CancelledError,))
    thread = threading.Thread(target=keep_putting, args=(session, coordinator), daemon=True)
    thread.start()
    print([float(session.run(take)) for _ in range(6)])
    coordinator.request_stop()
    session.run(stop_putting)                        # the thread may be waiting for a free place
    coordinator.join([thread], stop_grace_period_secs=20)
    print("thread alive:", thread.is_alive(), "| left in the queue:", session.run(left))

# %% [markdown]
# `request_stop` only sets a flag. A thread that waits inside the queue cannot look at a flag, so the queue must be
# closed too. A QueueRunner does exactly that: it has one more thread, which waits for the flag and then closes the
# queue.

# %% grading="skip"
tf.get_logger().setLevel("ERROR")                    # QueueRunner is deprecated: see section 12
with counting.as_default():
    runner = v1.train.QueueRunner(numbers, [put_next] * 2)        # two threads that put
with v1.Session(graph=counting) as session:
    session.run(init)
    coordinator = tf.train.Coordinator()
    threads = runner.create_threads(session, coordinator, start=True)
    print([thread.name.split("-", 2)[-1] for thread in threads])
    print(sorted(float(session.run(take)) for _ in range(6)))
    coordinator.request_stop()
    coordinator.join(threads, stop_grace_period_secs=20)
    print("threads alive:", sum(thread.is_alive() for thread in threads))

# %% [markdown]
# `v1.train.add_queue_runner` registers a runner in the graph and `v1.train.start_queue_runners` starts all of them.
# Old input pipelines (`v1.train.batch` and others) register runners silently. If you forget to start them, the first
# `run` **hangs**: nobody fills the queue. That was the most common hang of TensorFlow 1.
#
# ## 8 An ensemble that answers in time
#
# Now the pattern that queues were made for. Several models predict; a client averages. Each model has an **input
# queue** and a **prediction queue** of its own. A *feeder* copies each input into all input queues.
#
# ![From left to right: a feeder copies step and x into three input queues, one for each of the models a, b and c. Each model puts step and prediction into its own prediction queue. A client takes from the three prediction queues, each with a timeout, and averages. Model c is marked as stopped: its input queue is full and its prediction queue is empty, and the client answers with the mean of a and b.](assets/04_ensemble.svg)
#
# The models of this section are threads, in section 9 processes. Each is a 2×2 matrix; what matters is how they talk.

# %%
MODELS = {"a": [[1., 0.], [0., 1.]], "b": [[.9, .1], [.1, .9]], "c": [[.5, .5], [.5, .5]]}

def queues_of(model):
    """Two queues of one model: (step, input) and (step, prediction)."""
    kind = lambda way: tf.queue.FIFOQueue(3, [tf.int32, tf.float32], shapes=[(), (2,)],
                                          shared_name=f"{model}/{way}")
    return kind("inputs"), kind("predictions")

# %%
feed_one, work, take_one, waiting, stop = {}, {}, {}, {}, []
with tf.Graph().as_default() as ensemble:
    step, x = v1.placeholder(tf.int32, [], name="step"), v1.placeholder(tf.float32, [2], name="x")
    for model, weights in MODELS.items():
        inputs, predictions = queues_of(model)
        feed_one[model], waiting[model] = inputs.enqueue([step, x]), inputs.size()
        number, value = inputs.dequeue()
        work[model] = predictions.enqueue([number, tf.tensordot(value, weights, 1)])
        take_one[model] = predictions.dequeue()
        stop += [inputs.close(cancel_pending_enqueues=True), predictions.close(cancel_pending_enqueues=True)]
    feed = tf.group(*feed_one.values())

# %% [markdown]
# Each element carries its **step** number. You will soon see why. A model is a thread that runs its `work` for ever.
# Each has a switch (a `threading.Event`) with which we can stop it, as if it hung:

# %%
def play_model(session, model, switch):
    try:
        while switch.wait():                         # off: the model does not answer
            session.run(work[model])
    except (tf.errors.OutOfRangeError, tf.errors.CancelledError):
        pass                                         # the queues were closed: the end

def answer(session, now, timeout):
    """The mean of the predictions that come, one call and one timeout (ms) for each; and who is missing."""
    found = {}
    for model, take in take_one.items():
        try:
            found[model] = session.run(take, options=within(timeout))
        except tf.errors.DeadlineExceededError:
            pass
    mean = [round(float(np.mean(pair)), 3) for pair in zip(*(prediction for _, prediction in found.values()))]
    return mean, [model for model in MODELS if model not in found]

# %% predict="ensemble"
# Predict: c is switched off before step 2, but it already waits inside its queue for one more input.
# Its input queue has 3 places. What goes wrong first, what then, and at which steps?
first, then = "...", "..."

# %% grading="skip"
switches = {model: threading.Event() for model in MODELS}
[switch.set() for switch in switches.values()]
session = v1.Session(graph=ensemble)
players = [in_background(play_model, session, model, switch) for model, switch in switches.items()]
start, fed = time.monotonic(), {}
with watched(session, waiting) as record:
    for now in range(7):
        if now == 2:
            switches["c"].clear()
        fed[now] = time.monotonic() - start
        attempt(session.run, feed, {step: now, x: [.2, .8]}, options=within(500),
                label=f"step {now}: feeding ")
        print("       ", *answer(session, now, timeout=500))

# %% grading="skip"
draw_lengths(record, 3, "Input queues, fed at steps 0 to 6; c is switched off before step 2", marks=fed)

# %% [markdown]
# Two things to see:
#
# * **The ensemble answers in time.** From step 3 on, `c` is missing, and the mean is that of `a` and `b`. (From step 2,
#   if the switch catches it outside its queue.)
# * Then the input queue of `c` fills up, and the **feeder** runs into its timeout. The other models still got their
#   input: a timed-out run keeps what it had put. Without a timeout, one stopped model would have stopped the feeder,
#   and with it everybody. *Both* sides of a stopped model need a timeout.
#
# Now `c` wakes up:

# %% grading="skip"
switches["c"].set()
late = [session.run(take_one["c"], options=within(5000)) for _ in range(3)]
print("c answers steps", [int(number) for number, _ in late], "- and the feeder is at step 7")
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
# ## 9 The same with real processes
#
# Between processes, nothing changes but the address. One process holds the queues (a TensorFlow *server*, lesson 06);
# each model is a process, which finds its queues by their `shared_name`. We **freeze** the process of `c`: the
# operating system gives it no more time.

# %% grading="skip"
print("Starting four processes: the queues and three models. This takes some seconds.", flush=True)
with model_processes(MODELS) as running, v1.Session(running.target, graph=ensemble) as session:
    print(running.target, running.pids)
    for now in range(7):
        if now == 2:
            psutil.Process(running.pids["c"]).suspend()
        patience = 500 if now else 10_000            # the first step may have to wait for the processes
        attempt(session.run, feed, {step: now, x: [.2, .8]}, options=within(patience),
                label=f"step {now}: feeding ")
        print("       ", *answer(session, now, timeout=patience))
    psutil.Process(running.pids["c"]).resume()
    late = [session.run(take_one["c"], options=within(10_000))[0] for _ in range(2)]
    print("c was woken up and answers steps", [int(number) for number in late])

# %% [markdown]
# No thread of your notebook played a model here, and nothing in the client changed: same graph, same timeouts. Only
# the error's words differ: over the network it says *Deadline Exceeded*. The frozen process could not be asked to
# stop, could not raise an error, and did not close its connection. Only a timeout notices such a thing.
#
# ## 10 The length tells who waits
#
# You need not guess which side is too slow. Look at the length of the queue between them:
#
# | the queue is mostly | so | cure |
# | --- | --- | --- |
# | full | the producer waits: the consumer is slower | make the *consumer* faster; more places do not help |
# | empty | the consumer waits: the producer is slower | make the *producer* faster; more places do not help |
# | in between, up and down | both work; the queue evens out their jerks | nothing; if it often hits an end, more places |

# %% grading="skip"
record, taken = put_and_take(capacity=6, put_each=0.02, take_each=0.1, seconds=1.5)
draw_lengths(record, 6, "A producer that is five times as fast as the consumer")

# %% [markdown]
# Now you: choose speeds and a capacity, predict, then press *Run*, and watch the queue for four seconds. Can you keep
# it from being full and from being empty? What does a larger capacity change when the producer is faster: the speed,
# or only the time until the queue is full?
#
# Without a kernel, look at this picture: 20 elements per second are put, 10 are taken, capacity 6.
#
# ![The widget after a run. Sliders: capacity 6 elements, producer 20 elements per second, consumer 10 elements per second. Below, the length of the queue over four seconds: it climbs from 1 to the capacity of 6 within about 0.7 seconds and then stays there. In words below: the queue was full for 87 percent of the time.](assets/04_widget.svg)

# %% grading="skip"
who_waits()

# %% [markdown]
# ## 11 Break it and diagnose it: a deadlock
#
# In a **deadlock** each side waits for the other. Here a client sends numbers to a server thread and gets doubles
# back. It sends *all* its requests first and then reads the replies. Both queues have two places.

# %%
with tf.Graph().as_default() as doubling:
    requests, replies = (tf.queue.FIFOQueue(2, tf.float32, shapes=[()]) for _ in "12")
    x = v1.placeholder(tf.float32, [])
    ask, reply = requests.enqueue(x), replies.dequeue()
    double = replies.enqueue(2 * requests.dequeue())
    sizes = {"requests": requests.size(), "replies": replies.size()}

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
patient = v1.ConfigProto(operation_timeout_in_ms=2000)
with v1.Session(graph=doubling, config=patient) as session:
    serving = in_background(server, session)
    for count in (4, 5, 6):
        attempt(client, session, count, label=f"{count} requests: ")
    print("sizes:", {name: int(n) for name, n in session.run(sizes).items()})

# %% [markdown]
# Five elements have room: two requests, two replies, and one in the server's hands. The sixth waits for ever. The
# program had worked with small inputs, and nobody changed it. **Here the session's timeout turned a hang into an
# error.** (It also ended the server: its call waits under the same timeout.)
#
# How to read a hang, in this order:
#
# 1. **Sizes.** *Everything full*: all want to put, nobody takes. *Everything empty*: all want to take, nobody puts (a
#    producer died or was never started). *Full here, empty there*: whoever should carry from here to there has
#    stopped.
# 2. **Where does each thread stand?** Python knows each thread's line, also of one that waits in C++:

# %%
import linecache, sys, traceback

def where_threads_stand():
    """Print, for each thread that is in a cell of this notebook, the innermost line there."""
    for identity, frame in sys._current_frames().items():
        here = [(f.f_code, line) for f, line in traceback.walk_stack(frame) if f.f_globals is globals()]
        if here and identity != threading.get_ident():
            code, line = here[0]
            print(f"in {code.co_name}: {linecache.getline(code.co_filename, line).strip()}")

# %% grading="skip"
with v1.Session(graph=doubling, config=patient) as session:
    serving, calling = in_background(server, session), in_background(client, session, 6)
    wait_until(lambda: set(session.run(sizes).values()) == {2})
    time.sleep(0.3)
    where_threads_stand()

# %% [markdown]
# The server wants to put a reply (`double`), the client wants to put a request (`ask`), and both queues are full: a
# circle. The cure is to break the circle: read replies *while* sending, or in another thread. More places only move
# the limit. In a script, `faulthandler.dump_traceback_later(60)` prints all stacks if the program still runs after a
# minute.
#
# | you see | ask | cure |
# | --- | --- | --- |
# | hangs at the first `run`, all queues empty | was every producer started? did it die of an error? | start it; look at its exception, `coordinator.join()` raises it |
# | hangs only with larger input, all queues full | does somebody put everything before taking anything? | take meanwhile |
# | hangs when the program ends | does a plain `close` wait for a producer? | `cancel_pending_enqueues=True` |
# | stop button does nothing | is it a `run` without a timeout? | restart; then `operation_timeout_in_ms` |
# | no error, but elements are missing | `dequeue_many`, or several queues in one run, with a timeout? | one by one |
# | no error, but answers are mixed up | late answers? | carry the step number |
# | hangs although a timeout is set | was the time left 0? | at least 1 ms |
#
# ## 12 Then and now
#
# Today `tf.data` does the work of input queues. The queue is still in it: `prefetch(3)` is a thread and a queue with
# three places. How far does the producer run ahead?

# %% predict="prefetch"
# Predict: prefetch(3), and the loop has taken 1 element. How many has the generator made by then, in the end?
made_after_one = ...

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
# One taken, three in the queue, none in hand: prefetch looks for a free place *before* it asks for the next. The
# relatives have their heirs too:

# %% grading="skip"
print([int(n) for n in tf.data.Dataset.range(8).shuffle(4, seed=1)])
print([batch.numpy().tolist() for batch in tf.data.Dataset.range(5).batch(3)])
ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [4, 5, 6]]))
print(next(iter(ragged.map(lambda row: row).padded_batch(3))).numpy().tolist())

# %% [markdown]
# Queues themselves work in eager mode too, at once and without a session. But there **no timeout exists**. A future's
# timeout is something else:

# %% grading="skip"
eager_queue = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
eager_queue.enqueue(1.)
print(eager_queue.dequeue().numpy(), eager_queue.size().numpy())
impatient = in_background(eager_queue.dequeue)
try:
    impatient.result(timeout=0.5)
except concurrent.futures.TimeoutError:
    print("I gave up waiting")
eager_queue.enqueue(7.)
print("the thread got", impatient.result(timeout=20).numpy(), "- left:", eager_queue.size().numpy())

# %% [markdown]
# *You* stopped waiting, but the `dequeue` did not: it **stole** the next element. If you are the only consumer, look
# at `size()` before you take. Or close the queue, which frees whoever waits:

# %% grading="skip"
waiting_one = in_background(eager_queue.dequeue)
eager_queue.close()
print(type(waiting_one.exception(timeout=20)).__name__)
try:
    v1.train.QueueRunner(eager_queue, [eager_queue.size()])
except RuntimeError as error:
    print("RuntimeError:", str(error).split(".")[0])

# %% [markdown]
# | classic (`tf.compat.v1`, in a graph) | today |
# | --- | --- |
# | `tf.FIFOQueue(n)` and threads that fill it | `dataset.prefetch(n)`; or `tf.queue.FIFOQueue(n)`, also eager |
# | `RandomShuffleQueue(c, min_after_dequeue=n)` | `dataset.shuffle(n)` |
# | `PaddingFIFOQueue`, `dequeue_many(n)` | `dataset.padded_batch(n)` |
# | `dequeue_many(n)` / `dequeue_up_to(n)` | `dataset.batch(n, drop_remainder=True)` / `dataset.batch(n)` |
# | `PriorityQueue` | `tf.queue.PriorityQueue`; no counterpart in `tf.data` |
# | `QueueRunner`, `Coordinator`, `start_queue_runners` | nothing: a dataset starts and ends its threads itself |
# | several threads in a QueueRunner | `dataset.map(f, num_parallel_calls=n)` |
# | `queue.close()`, then `OutOfRangeError` | the `for` loop ends |
# | `RunOptions(timeout_in_ms=…)` | nothing for eager ops: ask `size()`, or close |
# | `ConfigProto(operation_timeout_in_ms=…)` | nothing for eager ops |
#
# So for *feeding data* take `tf.data`. Between programs that must not wait for each other, queues with sessions still
# do what nothing else in TensorFlow does: a wait with an end.
#
# ## Recap
#
# 1. A full queue makes producers wait, an empty one consumers. Its length tells which side is slower.
# 2. A timeout cancels the call, and the call takes nothing later. But what it had already moved stays moved: the lost
#    pair of `dequeue_many`.
# 3. `DeadlineExceededError` is "not yet", `OutOfRangeError` is "the end", `CancelledError` tells a producer to stop.
# 4. At the end: close with cancel, join, drain, close the session. A plain `close` waits for pending puts, and no
#    timeout frees it.
# 5. A queue per model, a timeout for each, and the step in each element: so an ensemble outlives a model that hangs.
#
# | question | where the answer is |
# | --- | --- |
# | How long may this call wait? | `RunOptions.timeout_in_ms`; 0 is no bound |
# | And all those that I forgot? | `ConfigProto.operation_timeout_in_ms` |
# | Who is slower? | `queue.size()` over time |
# | Who waits for whom? | all sizes, and where each thread stands |
# | Is more coming? | `queue.is_closed()`, or the error that you get |
#
# **Read on:** lesson 05, *Control dependencies*: order inside one graph. Lesson 06, *Clusters*: where servers and
# their addresses come from. Lesson 07 trains an ensemble of this kind.
#
# ## Exercises
#
# Five short programs and one question in words. Exercises 1, 3, 4 and 5 get a graph with queues as bytes. This is how
# you open it:

# %%
def opened(graph_bytes):
    """The tf.Graph that is written in the bytes of a GraphDef."""
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(v1.GraphDef.FromString(graph_bytes), name="")
    return graph

def letters_graph(closed):
    """An example for exercise 1: its queue gets 1, 2 and 3."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(10, tf.float32, shapes=[()])
        with tf.control_dependencies([queue.enqueue_many([[1., 2., 3.]])]):
            tf.group(*[queue.close()] * closed, name="fill")
        queue.dequeue(name="next")
    return graph.as_graph_def().SerializeToString()

# %% grading="skip"
with v1.Session(graph=opened(letters_graph(closed=True))) as session:
    session.run("fill")                              # ops and tensors have names: run them by name
    print(session.run("next:0"), session.run("next:0"))

# %% [markdown] exercise="drain"
# ### Exercise 1 · Drain a queue, and say how it ended
#
# Write `drain(graph_bytes, timeout_ms)`. The graph has an op `fill`, which you run once, and a tensor `next:0`, which
# takes one element (a number) out of a queue. Take elements until it ends. Wait at most `timeout_ms` for each.
#
# Return `{"values": [...], "ended": "closed"}` if the queue was closed and is drained, and `{"values": [...],
# "ended": "timeout"}` if nothing came in time. The values stand in the order in which they came. Any other error is a
# real fault: let it out.
#
# Example: `drain(letters_graph(closed=True), 1000)` is `{"values": [1.0, 2.0, 3.0], "ended": "closed"}`; with
# `closed=False` it ends with `"timeout"`, after a second.

# %% solution="drain"
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
    options, values = v1.RunOptions(timeout_in_ms=timeout_ms), []
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
        print(drain(letters_graph(closed), 1000))
except NotImplementedError as error:
    print(error)

# %% check="drain-closed" points=2
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

def told(likely):
    return (f"asked:    drain(a queue with 3, 1, 4, 1, 5 that is then closed, 5000)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, The end: closing, draining, cancelling")

assert got != "OutOfRangeError was raised", told(
    "OutOfRangeError is how a closed, drained queue says that it has ended")
assert type(got) is dict and set(got) == {"values", "ended"}, told(
    "the result is not a dict with values and ended")
assert type(got["values"]) is list, told("the values are not a list")
values = [float(value) for value in got["values"]]
assert values, told("nothing was taken: run the op fill once, before the first next")
assert len(values) >= 5, told(
    "elements that were in the queue when it was closed are missing: drain it to the end")
assert values == right["values"], told("the values are not those of the queue, each once, in its order")
assert got["ended"] == "closed", told(
    "a closed queue is taken for one that is slow; the two have different errors")

# %% check="drain-timeout" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    tf.group(queue.enqueue_many([[2., 7.]]), name="fill")
    queue.dequeue(name="next")
try:
    got = drain(graph.as_graph_def().SerializeToString(), 700)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = {"values": [2., 7.], "ended": "timeout"}

def told(likely):
    return (f"asked:    drain(a queue with 2, 7 that stays open, 700)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, The end: closing, draining, cancelling")

assert got != "DeadlineExceededError was raised", told(
    "a timeout is one of the two ends: return what came until then")
assert type(got) is dict and set(got) == {"values", "ended"}, told(
    "the result is not a dict with values and ended")
assert got["ended"] != "closed", told("a timeout is taken for the end of the data, but more may still come")
assert type(got["values"]) is list and [float(value) for value in got["values"]] == [2., 7.], told(
    "the elements that came before the timeout are missing, or changed")
assert got["ended"] == "timeout", told("the word for this end is 'timeout'")

# %% hidden="drain-fault" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    with tf.control_dependencies([queue.enqueue_many([[4., 0., 2.]])]):
        tf.group(queue.close(), name="fill")
    tf.debugging.check_numerics(1 / queue.dequeue(), "division", name="next")
try:
    got = drain(graph.as_graph_def().SerializeToString(), 5000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"

def told(likely):
    return (f"asked:    drain(a queue whose second element makes next raise InvalidArgumentError, 5000)\n"
            f"got:      {got}\n"
            f"expected: InvalidArgumentError was raised\n"
            f"likely:   {likely}\n"
            f"reread:   the table of errors in section 5, The end: closing, draining, cancelling")

assert type(got) is not dict, told("every error is caught, and a real fault is reported as a normal end")
assert got == "InvalidArgumentError was raised", told("let the error out as it is")

# %% hidden="drain-shuffle" points=1
import tensorflow as tf

def shuffled(closed):
    with tf.Graph().as_default() as graph:
        queue = tf.queue.RandomShuffleQueue(9, min_after_dequeue=2, dtypes=tf.float32, shapes=[()])
        with tf.control_dependencies([queue.enqueue_many([[1., 2., 3., 4., 5., 6.]])]):
            tf.group(*[queue.close()] * closed, name="fill")
        queue.dequeue(name="next")
    return graph.as_graph_def().SerializeToString()

try:
    got = [drain(shuffled(False), 700), drain(shuffled(True), 5000)]
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"

def told(likely):
    return (f"asked:    drain(a RandomShuffleQueue of 1 to 6, min_after_dequeue=2), first open, then closed\n"
            f"got:      {got}\n"
            f"expected: four different values and 'timeout'; all six values and 'closed'\n"
            f"likely:   {likely}\n"
            f"reread:   section 6, Three relatives")

assert type(got) is list, told("an error was raised, but both ends are to be reported")
assert all(type(part) is dict and set(part) == {"values", "ended"} for part in got), told(
    "the results are not dicts with values and ended")
values = [[float(value) for value in part["values"]] for part in got]
assert len(set(values[0])) == len(values[0]) == 4 and set(values[0]) <= {1., 2., 3., 4., 5., 6.}, told(
    "the open queue keeps two elements back; take what you can get, and no more")
assert sorted(values[1]) == [1., 2., 3., 4., 5., 6.], told("the closed queue gives out all its elements")
assert [part["ended"] for part in got] == ["timeout", "closed"], told(
    "how it ended follows from the error alone")

# %% hidden="drain-empty" points=1
import tensorflow as tf

def empty(closed):
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(9, tf.float32, shapes=[()])
        tf.group(*[queue.close()] * closed, name="fill")
        queue.dequeue(name="next")
    return graph.as_graph_def().SerializeToString()

try:
    got = [drain(empty(True), 5000), drain(empty(False), 500)]
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"values": [], "ended": "closed"}, {"values": [], "ended": "timeout"}]

def told(likely):
    return (f"asked:    drain(a queue that never gets an element), first closed, then open\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, The end: closing, draining, cancelling")

assert got == right, told("the first next may already be the end; it needs the same care as the others")

# %% hidden="drain-slow" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    with tf.control_dependencies([queue.enqueue(6.)]):
        tf.group(queue.close(), name="fill")
    element = queue.dequeue()
    with tf.control_dependencies([element]):
        start = tf.timestamp()
        end = tf.while_loop(lambda now: now < start + 0.5, lambda now: tf.timestamp(), [start])
    with tf.control_dependencies(end):
        tf.identity(element, name="next")
try:
    got = drain(graph.as_graph_def().SerializeToString(), 5000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = {"values": [6.], "ended": "closed"}

def told(likely):
    return (f"asked:    drain(a closed queue with 6, where next takes half a second, 5000)\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Two timeouts")

assert type(got) is dict and set(got) == {"values", "ended"}, told(
    "the result is not a dict with values and ended")
assert got != {"values": [], "ended": "timeout"}, told(
    "gave up before timeout_ms were over: wait as long as it says (and run fill before)")
assert got == right, told("the element came in time, and then the queue ended")

# %% hidden="drain-time" points=1
import time
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(8, tf.float32, shapes=[()])
    tf.group(queue.enqueue_many([[2., 7.]]), name="fill")
    queue.dequeue(name="next")
for _ in range(2):                                   # a busy machine gets a second chance
    start = time.monotonic()
    try:
        got = drain(graph.as_graph_def().SerializeToString(), 200)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"
    seconds = time.monotonic() - start
    if seconds < 2.5:
        break

def told(likely):
    return (f"asked:    drain(a queue with 2, 7 that stays open, 200)\n"
            f"got:      {got}, after {seconds:.1f} seconds\n"
            f"expected: both values and 'timeout', after about 0.2 seconds\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Two timeouts")

assert type(got) is dict and list(got.get("values", [])) == [2., 7.], told(
    "the two elements that came before the timeout are to be returned")
assert seconds < 2.5, told("it waits longer than timeout_ms: is its number used, for each call?")

# %% [markdown] exercise="trace"
# ### Exercise 2 · Predict the length, and who waits
#
# Write `trace_lengths(capacity, events)`: what does a `FIFOQueue` do? It is empty at first. Each event is a list
# `[who, what, n]`, and `who` waits for at most one thing at a time:
#
# * `["p", "put", 3]`: thread `p` calls `enqueue_many` with 3 elements. It puts in what has room, at once. If some are
#   left over, it waits and puts them, as far as there is room, whenever places become free.
# * `["c", "take", 2]`: thread `c` calls `dequeue_many(2)`. It takes out what is there, at once, and *holds* it. If it
#   has fewer than 2, it waits and takes further elements as they come.
# * `["c", "timeout", 0]`: the call of `c` runs into its timeout, if it still waits. What it had put stays in; what it
#   held is lost.
#
# Who began to wait first is served first: a later `put` gets its turn only when all earlier ones are complete, and so
# with `take`.
#
# Return a list with one entry `[length, waiting]` after each event: how many elements are in the queue, and the names
# of those who wait, in the order in which they began to.
#
# Example: `trace_lengths(2, [["p", "put", 3], ["c", "take", 1]])` is `[[2, ["p"]], [2, []]]`: `p` waits with its
# third element, and puts it when `c` has made room.

# %% solution="trace"
def trace_lengths(capacity, events):
    """Predict a FIFOQueue's length and who waits, after each event.

    Args:
        capacity: int, number of places, 1 or more.
        events: list of [who, what, n]: str, "put", "take" or "timeout", and the number of elements
            (1 or more; 0 for a timeout).
    Returns:
        list of [length, waiting]: int, and the list of names of who waits, in the order in which they began.
    """
    ### BEGIN SOLUTION
    length, waiting, trace = 0, [], []               # waiting: [who, what, elements still to move]
    for who, what, n in events:
        if what == "timeout":
            waiting = [call for call in waiting if call[0] != who]
        else:
            waiting.append([who, what, n])
        moved = True
        while moved:
            moved = False
            for kind, sign in (("put", 1), ("take", -1)):
                first = next((call for call in waiting if call[1] == kind), None)
                count = first and min(first[2], capacity - length if sign > 0 else length)
                if count:
                    length, moved = length + sign * count, True
                    first[2] -= count
                    if not first[2]:
                        waiting.remove(first)
        trace.append([length, [call[0] for call in waiting]])
    return trace
    ### END SOLUTION

# %% try="trace"
try:
    print(trace_lengths(2, [["p", "put", 3], ["c", "take", 1]]))
except NotImplementedError as error:
    print(error)

# %% check="trace-full" points=1
events = [["p", "put", 1], ["p", "put", 4], ["c", "take", 1], ["c", "take", 2]]
got = trace_lengths(3, [list(event) for event in events])
right = [[1, []], [3, ["p"]], [3, ["p"]], [2, []]]

def told(likely):
    return (f"asked:    trace_lengths(3, {events})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, What a timeout loses, and what it keeps")

assert type(got) is list, told("the result is not a list")
assert all(type(e) in (list, tuple) and [type(x) for x in e] == [int, list] for e in got), told(
    "the result is not a list of [length, waiting]: an int and a list")
got = [list(entry) for entry in got]
assert len(got) == 4, told("there is one entry for each event")
assert all(entry[0] <= 3 for entry in got), told("a queue never holds more than its capacity")
assert got[1] != [1, ["p"]], told("a put that does not fit as a whole still puts in what has room")
assert got[1] != [3, []], told("what does not fit is not dropped: whoever puts it waits")
assert got[2][0] == 3, told("when a place becomes free, a waiting put goes on at once")
assert got == right, told("compare the entries one by one")

# %% check="trace-empty" points=1
events = [["c", "take", 2], ["p", "put", 1], ["p", "put", 2]]
got = trace_lengths(5, [list(event) for event in events])
right = [[0, ["c"]], [0, ["c"]], [1, []]]

def told(likely):
    return (f"asked:    trace_lengths(5, {events})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, What a timeout loses, and what it keeps")

assert type(got) is list, told("the result is not a list")
assert all(type(e) in (list, tuple) and [type(x) for x in e] == [int, list] for e in got), told(
    "the result is not a list of [length, waiting]: an int and a list")
got = [list(entry) for entry in got]
assert len(got) == 3, told("there is one entry for each event")
assert all(entry[0] >= 0 for entry in got), told(
    "a length cannot be negative: whoever takes from an empty queue waits")
assert got[1] != [1, ["c"]], told(
    "dequeue_many takes what is there at once and holds it; it is not in the queue any more")
assert got[1] != [0, []], told("c wants two elements and has one: it still waits")
assert got == right, told("compare the entries one by one")

# %% hidden="trace-timeout" points=2
events = [["c", "take", 3], ["p", "put", 2], ["c", "timeout", 0], ["q", "put", 6], ["q", "timeout", 0],
          ["d", "take", 1], ["d", "timeout", 0]]
got = trace_lengths(4, [list(event) for event in events])
right = [[0, ["c"]], [0, ["c"]], [0, []], [4, ["q"]], [4, []], [3, []], [3, []]]

def told(likely):
    return (f"asked:    trace_lengths(4, {events})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, What a timeout loses, and what it keeps")

assert type(got) is list and len(got) == 7, told("the result is not a list with one entry for each event")
assert all(type(e) in (list, tuple) and [type(x) for x in e] == [int, list] for e in got), told(
    "an entry is not [length, waiting]: an int and a list")
got = [list(entry) for entry in got]
assert got[2] != [2, []], told("the pair that c held does not go back into the queue: it is lost")
assert got[4] != [0, []], told("what q had put stays in when its call runs into the timeout")
assert got[5] != [4, []], told(
    "after its timeout q waits no more, so it does not fill the place that becomes free")
assert got == right, told(
    "a timeout ends the waiting of one call, and changes nothing if that call waits no more")

# %% hidden="trace-order" points=2
events = [["p", "put", 2], ["q", "put", 2], ["r", "put", 1], ["c", "take", 1], ["c", "take", 2]]
takers = [["c", "take", 2], ["d", "take", 1], ["p", "put", 1], ["p", "put", 1], ["p", "put", 1]]
got = [trace_lengths(n, [list(event) for event in asked]) for n, asked in ((1, events), (9, takers))]
right = [[[1, ["p"]], [1, ["p", "q"]], [1, ["p", "q", "r"]], [1, ["q", "r"]], [1, ["q", "r"]]],
         [[0, ["c"]], [0, ["c", "d"]], [0, ["c", "d"]], [0, ["d"]], [0, []]]]
right[0][4] = [1, ["r"]]

def told(likely):
    return (f"asked:    trace_lengths(1, {events}); trace_lengths(9, {takers})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: who began to wait first is served first")

assert all(type(trace) is list and len(trace) == 5 for trace in got), told(
    "the result is not a list with one entry for each event")
assert all(type(e) in (list, tuple) and [type(x) for x in e] == [int, list] for e in got[0] + got[1]), told(
    "an entry is not [length, waiting]: an int and a list")
got = [[list(entry) for entry in trace] for trace in got]
assert got[0][2][1] == ["p", "q", "r"], told("the names stand in the order in which they began to wait")
assert got[1][2][1] == ["c", "d"], told("d is served although c, which wants two, began to wait before")
assert got == right, told("one call may free a place for several others: go on until nothing moves any more")

# %% hidden="trace-through" points=1
events = [["p", "put", 7], ["c", "take", 5], ["d", "take", 4], ["p", "put", 3]]
got = trace_lengths(2, [list(event) for event in events])
right = [[2, ["p"]], [2, []], [0, ["d"]], [1, []]]

def told(likely):
    return (f"asked:    trace_lengths(2, {events})\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 2: a waiting put goes on whenever places become free")

assert type(got) is list and len(got) == 4, told("the result is not a list with one entry for each event")
assert all(type(e) in (list, tuple) and [type(x) for x in e] == [int, list] for e in got), told(
    "an entry is not [length, waiting]: an int and a list")
got = [list(entry) for entry in got]
assert got[1] != [0, ["p", "c"]], told("c can take more than the capacity: p refills the queue while c takes")
assert got == right, told("go on putting and taking in turns until nothing moves any more")

# %% [markdown] exercise="batches"
# ### Exercise 3 · Batches, and nothing lost
#
# Write `batches(graph_bytes, n, timeout_ms, plan)`. The graph has one FIFO queue of numbers. `plan` is a list of
# words; do them in this order, in **one** session:
#
# * `"batch"`: try to get a batch of `n` elements; wait at most `timeout_ms` for each element.
# * any other word is the name of an op of the graph, such as `"put_1"` or `"close"`: run it.
#
# Return a list with one result for each `"batch"`:
#
# * the `n` elements, if they came;
# * `None`, if the queue is open and too few came in time. **None of them may be lost**: they are the first of the
#   next batch;
# * what is left, fewer than `n`, if the queue is closed; `[]` if nothing is left.
#
# Besides such ops the graph offers `next:0` (takes one element), `many:0` (takes as many at once as you feed to
# `n:0`), and `size:0`. You need not use all of them.
#
# Example: if `put_1` puts 1, 2 and `put_2` puts 3, 4, then `batches(graph, 3, 1000, ["put_1", "batch", "put_2",
# "batch"])` is `[None, [1.0, 2.0, 3.0]]`.

# %% solution="batches"
def batches(graph_bytes, n, timeout_ms, plan):
    """Take batches out of a graph's queue with a timeout, without losing an element.

    Args:
        graph_bytes: bytes of a GraphDef with "next:0", "many:0", "n:0", "size:0" and the ops of the plan.
        n: int, elements of a batch.
        timeout_ms: int, milliseconds to wait for each element, at least 1.
        plan: list of str: "batch", or the name of an op to run.
    Returns:
        list with one result for each "batch": a list of float, or None if too few came in time.
    """
    ### BEGIN SOLUTION
    options, held, results = v1.RunOptions(timeout_in_ms=timeout_ms), [], []
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

# %%
def batch_graph(*puts):
    """An example for exercise 3: ops put_1, put_2, ... put the lists of numbers that are given."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
        for i, numbers in enumerate(puts, start=1):
            queue.enqueue_many([[float(number) for number in numbers]], name=f"put_{i}")
        queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
        queue.dequeue_many(v1.placeholder(tf.int32, [], name="n"), name="many")
    return graph.as_graph_def().SerializeToString()

# %% try="batches"
try:
    print(batches(batch_graph([1, 2], [3, 4]), 3, 1000, ["put_1", "batch", "put_2", "batch"]))
except NotImplementedError as error:
    print(error)

# %% check="batches-complete" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[5., 3., 8., 1.]], name="put_1")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 2, 5000, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [[5., 3.], [8., 1.]]

def told(likely):
    return (f"asked:    batches of 2, plan {plan}; put_1 puts 5, 3, 8, 1\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 3")

assert type(got) is list and len(got) == 2, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert all(type(batch) is list for batch in got), told("a batch that came is a list of its n elements")
assert [[float(value) for value in batch] for batch in got] == right, told(
    "each batch has the next n elements of the queue, in their order")

# %% check="batches-kept" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[1., 2.]], name="put_1"), queue.enqueue_many([[3., 4.]], name="put_2")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "put_2", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 3, 1000, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, [1., 2., 3.]]

def told(likely):
    return (f"asked:    batches of 3, plan {plan}; put_1 puts 1, 2 and put_2 puts 3, 4\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, What a timeout loses, and what it keeps")

assert got != "DeadlineExceededError was raised", told(
    "a timeout is no fault here: the result of that batch is None")
assert type(got) is list and len(got) == 2, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got != [None, None], told(
    "the pair 1, 2 is lost: dequeue_many held it when its time was over, or you dropped it")
assert got[0] is None, told(
    "a batch that is not complete is None while the queue is open; its elements are kept")
assert type(got[1]) is list and [float(value) for value in got[1]] == right[1], told(
    "the elements that came too few are the first of the next batch, in their order")

# %% hidden="batches-again" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    for i, numbers in enumerate(([9.], [8., 7.], [6., 5., 4., 3., 2.]), start=1):
        queue.enqueue_many([numbers], name=f"put_{i}")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["batch", "put_1", "batch", "put_2", "batch", "put_3", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 4, 600, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, None, None, [9., 8., 7., 6.], [5., 4., 3., 2.]]

def told(likely):
    return (f"asked:    batches of 4, plan {plan}; the ops put 9; then 8, 7; then 6, 5, 4, 3, 2\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 4, What a timeout loses, and what it keeps")

assert type(got) is list and len(got) == 5, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got[:3] == [None] * 3, told("a batch that is not complete is None while the queue is open")
assert type(got[3]) is list and [float(value) for value in got[3]] == right[3], told(
    "elements are lost or out of order: keep them over several timeouts, not only over one")
assert type(got[4]) is list and [float(value) for value in got[4]] == right[4], told(
    "elements of the batch before come twice, or those after it are lost")

# %% hidden="batches-closed" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[1.]], name="put_1"), queue.enqueue_many([[2., 3., 4., 5.]], name="put_2")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
plan = ["put_1", "batch", "put_2", "close", "batch", "batch", "batch"]
try:
    got = batches(graph.as_graph_def().SerializeToString(), 3, 1000, list(plan))
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [None, [1., 2., 3.], [4., 5.], []]

def told(likely):
    return (f"asked:    batches of 3, plan {plan}; the ops put 1; then 2, 3, 4, 5\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, The end: closing, draining, cancelling")

assert got != "OutOfRangeError was raised", told("OutOfRangeError is the end of the data, not a fault")
assert type(got) is list and len(got) == 4, told(
    "the result is not a list with one entry for each 'batch' of the plan")
assert got[2] is not None and got[3] is not None, told(
    "a closed queue gives what is left, and then []; None is for an open one")
assert all(type(batch) is list for batch in got[1:]), told("a batch that came is a list")
assert [float(value) for value in got[2]] != [], told("the last, short batch of a closed queue is lost")
assert [got[0], *([float(value) for value in batch] for batch in got[1:])] == right, told(
    "compare the batches one by one")

# %% hidden="batches-time" points=1
import time
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(20, tf.float32, shapes=[()])
    queue.enqueue_many([[4., 2.]], name="put_1"), queue.size(name="size"), queue.close(name="close")
    queue.dequeue_many(tf.compat.v1.placeholder(tf.int32, [], name="n"), name="many")
    element = queue.dequeue()
    with tf.control_dependencies([element]):
        start = tf.timestamp()
        end = tf.while_loop(lambda now: now < start + 0.3, lambda now: tf.timestamp(), [start])
    with tf.control_dependencies(end):
        tf.identity(element, name="next")
asked = [(5000, ["put_1", "batch"]), (200, ["batch"])]
got, seconds = [], []
for timeout_ms, plan in asked + asked[1:]:           # a busy machine gets a second chance
    start = time.monotonic()
    try:
        got.append(batches(graph.as_graph_def().SerializeToString(), 2, timeout_ms, list(plan)))
    except tf.errors.OpError as error:
        got.append(f"{type(error).__name__} was raised")
    seconds.append(time.monotonic() - start)
    if len(got) == 2 and seconds[1] < 2.5:
        break
right = [[[4., 2.]], [None]]

def told(likely):
    return (f"asked:    batches of 2, (timeout_ms, plan) {asked}; put_1 puts 4, 2; next takes 0.3 s\n"
            f"got:      {got}, after {[round(number, 1) for number in seconds]} seconds\n"
            f"expected: {right}; the second after about 0.2 seconds\n"
            f"likely:   {likely}\n"
            f"reread:   section 3, Two timeouts")

assert got[0] != [None], told("gave up before timeout_ms were over: wait as long as it says")
assert got[:2] == right, told("the batch came in time; the second queue stays empty")
assert min(seconds[1:]) < 2.5, told("it waits longer than timeout_ms: is its number used, for each call?")

# %% [markdown] exercise="ensemble"
# ### Exercise 4 · The client that answers in time
#
# Write `ensemble(graph_bytes, models, steps, timeout_ms)`: the client of section 8, without its two weaknesses. For
# each model `m`, the graph has a prediction queue: `m/next:0` and `m/next:1` are step (int) and prediction (two
# numbers) of one element, to be taken together in one run; `m/size:0` is the queue's length. For each step `i` from 0
# to `steps - 1`:
#
# 1. Run the op `arrive_i`, once. It puts in what the models have sent up to now.
# 2. Collect the prediction for step `i` from each model. **Wait at most `timeout_ms` for the whole step**, not for
#    each model: many may be stopped.
# 3. Each queue is in the order of steps. A prediction for an *older* step came too late: throw it away, and look at
#    the next one. One for a *later* step (the model has skipped some) must be kept until that step; for now the model
#    is missing.
#
# Return a list with one dict for each step: `{"mean": [.., ..], "missing": [...]}`, the mean over the models that
# answered (`None` if none did), and the names of the others, in the order of `models`. All is done in one session.
#
# Hint: an answer that is there also needs a moment to be taken: a timeout of 1 ms may be too short. Start all calls
# at once (`in_background`), or ask for the sizes before you take.
#
# Example: at step 0, `a` has sent `[1, 3]` and `b` `[3, 5]`. At step 1 only `a` answers, with `[2, 2]`. The result of
# `ensemble(graph, ["a", "b"], 2, 1000)` is `[{"mean": [2.0, 4.0], "missing": []}, {"mean": [2.0, 2.0], "missing":
# ["b"]}]`.

# %% solution="ensemble"
def ensemble(graph_bytes, models, steps, timeout_ms):
    """Average predictions step by step, in time, without models that do not answer.

    Args:
        graph_bytes: bytes of a GraphDef with "m/next:0" (step), "m/next:1" (two numbers), "m/size:0" for
            each model m, and ops "arrive_0", "arrive_1", ...
        models: list of str, the names.
        steps: int, number of steps.
        timeout_ms: int, milliseconds to wait in a step, for all models together.
    Returns:
        list of dict, one for each step: "mean", a list of two float or None, and "missing", a list of names.
    """
    ### BEGIN SOLUTION
    ahead, results = {}, []                          # ahead: {model: (step, prediction) that is not used yet}
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

# %%
def ensemble_graph(models, arrivals):
    """An example for exercise 4: arrivals has one {model: [(step, prediction), ...]} for each step."""
    with tf.Graph().as_default() as graph:
        queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in models}
        for model, queue in queues.items():
            queue.dequeue(name=f"{model}/next"), queue.size(name=f"{model}/size")
        for i, arrival in enumerate(arrivals):
            tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                       for m, sent in arrival.items()], name=f"arrive_{i}")
    return graph.as_graph_def().SerializeToString()

# %% try="ensemble"
try:
    arrivals = [{"a": [(0, [1., 3.])], "b": [(0, [3., 5.])]}, {"a": [(1, [2., 2.])]}]
    print(ensemble(ensemble_graph("ab", arrivals), ["a", "b"], 2, 1000))
except NotImplementedError as error:
    print(error)

# %% check="ensemble-missing" points=2
import tensorflow as tf

arrivals = [{"a": [(0, [1., 3.])], "b": [(0, [2., 2.])], "c": [(0, [6., 4.])]},
            {"a": [(1, [4., 0.])], "c": [(1, [2., 2.])]}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "abc"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next"), queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
try:
    got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b", "c"], 2, 1000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"mean": [3., 3.], "missing": []}, {"mean": [3., 1.], "missing": ["b"]}]

def told(likely):
    return (f"asked:    step 0: a [1, 3], b [2, 2], c [6, 4]; step 1: a [4, 0], c [2, 2]; b does not answer\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, An ensemble that answers in time")

assert got != "DeadlineExceededError was raised", told(
    "one model that does not answer must not take the answer from you")
assert type(got) is list and len(got) == 2, told("the result is not a list with one entry for each step")
assert all(type(r) is dict and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
assert all(type(r["mean"]) in (list, type(None)) and type(r["missing"]) is list for r in got), told(
    "mean is a list of two numbers, or None; missing is a list of names")
assert got[1]["missing"] != ["a", "b", "c"], told(
    "all queues in one run: when it ends by the timeout, the predictions of a and c are lost too")
assert [list(r["missing"]) for r in got] == [[], ["b"]], told(
    "missing are the models that did not answer this step")
means = [[round(float(value), 3) for value in r["mean"]] for r in got]
assert means[1] != [2., 0.667], told(
    "a model that is missing counts as zero: divide by the number of those that answered")
assert means == [r["mean"] for r in right], told(
    "the mean is taken for each of the two numbers over the models that answered")

# %% hidden="ensemble-late" points=2
import tensorflow as tf

arrivals = [{"a": [(0, [1., 1.])], "b": [(0, [3., 3.])]},
            {"a": [(1, [5., 5.])]},
            {"a": [(2, [7., 7.])], "b": [(1, [100., 100.]), (2, [9., 9.])]},
            {"b": [(3, [2., 4.])]},
            {"a": [(3, [50., 50.])], "b": [(4, [6., 6.])]}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "ab"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next"), queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
try:
    got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b"], 5, 1000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"mean": [2., 2.], "missing": []}, {"mean": [5., 5.], "missing": ["b"]},
         {"mean": [8., 8.], "missing": []}, {"mean": [2., 4.], "missing": ["a"]},
         {"mean": [6., 6.], "missing": ["a"]}]

def told(likely):
    return (f"asked:    b answers steps 1 and 2 during step 2; a answers step 3 during step 4\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 8, An ensemble that answers in time: a late answer")

assert type(got) is list and len(got) == 5, told("the result is not a list with one entry for each step")
assert all(type(r) is dict and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
assert all(type(r["mean"]) in (list, type(None)) and type(r["missing"]) is list for r in got), told(
    "mean is a list of two numbers, or None; missing is a list of names")
means = [r["mean"] and [round(float(value), 3) for value in r["mean"]] for r in got]
assert means[2] != [53.5, 53.5], told(
    "a late prediction, for step 1, is averaged into step 2: look at its step")
assert list(got[2]["missing"]) != ["b"], told(
    "after a late prediction the right one may follow: go on looking")
assert means[4] != [28., 28.], told(
    "a late prediction, for step 3, is averaged into step 4: look at its step")
assert [{"mean": mean, "missing": list(r["missing"])} for mean, r in zip(means, got)] == right, told(
    "compare the steps one by one")

# %% hidden="ensemble-ahead" points=2
import tensorflow as tf

arrivals = [{"a": [(0, [2., 2.])], "b": [(2, [8., 8.])]}, {"a": [(1, [4., 4.])]}, {"a": [(2, [6., 6.])]}, {}]
with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "ab"}
    for model, queue in queues.items():
        queue.dequeue(name=f"{model}/next"), queue.size(name=f"{model}/size")
    for i, arrival in enumerate(arrivals):
        tf.group(*[queues[m].enqueue_many([[n for n, _ in sent], [p for _, p in sent]])
                   for m, sent in arrival.items()], name=f"arrive_{i}")
try:
    got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b"], 4, 1000)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"mean": [2., 2.], "missing": ["b"]}, {"mean": [4., 4.], "missing": ["b"]},
         {"mean": [7., 7.], "missing": []}, {"mean": None, "missing": ["a", "b"]}]

def told(likely):
    return (f"asked:    b skips steps 0 and 1 and sends step 2 at once; nobody answers step 3\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4, point 3")

assert type(got) is list and len(got) == 4, told("the result is not a list with one entry for each step")
assert all(type(r) is dict and set(r) == {"mean", "missing"} for r in got), told(
    "an entry is not a dict of mean and missing")
assert all(type(r["mean"]) in (list, type(None)) and type(r["missing"]) is list for r in got), told(
    "mean is a list of two numbers, or None; missing is a list of names")
means = [r["mean"] and [round(float(value), 3) for value in r["mean"]] for r in got]
assert means[0] != [5., 5.], told("a prediction for step 2 is averaged into step 0: look at its step")
assert list(got[2]["missing"]) != ["b"], told(
    "the prediction for step 2 was thrown away at step 0; keep what is for later")
assert means[3] is None, told("if nobody answers, the mean is None")
assert [{"mean": mean, "missing": list(r["missing"])} for mean, r in zip(means, got)] == right, told(
    "compare the steps one by one")

# %% hidden="ensemble-together" points=1
import time
import tensorflow as tf

names = [f"m{i}" for i in range(30)]
with tf.Graph().as_default() as graph:
    for name in names:
        queue = tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)])
        queue.dequeue(name=f"{name}/next"), queue.size(name=f"{name}/size")
    tf.group(queue.enqueue([0, [4., 5.]]), name="arrive_0")
start = time.monotonic()
try:
    result = ensemble(graph.as_graph_def().SerializeToString(), list(names), 1, 500)
except tf.errors.OpError as error:
    result = f"{type(error).__name__} was raised"
seconds = time.monotonic() - start
right = [{"mean": [4., 5.], "missing": names[:-1]}]
got = "the right result" if result == right else str(result)[:300]

def told(likely):
    return (f"asked:    30 models of which only the last, m29, answers; timeout_ms=500\n"
            f"got:      {got}, after {seconds:.1f} seconds\n"
            f"expected: mean [4, 5], all but m29 missing, after about half a second\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4: the timeout is for the whole step")

assert type(result) is list and len(result) == 1 and type(result[0]) is dict, told(
    "the result is not a list with a dict of mean and missing for each step")
assert type(result[0].get("mean")) in (list, type(None)), told("mean is a list of two numbers, or None")
assert result[0].get("mean") is not None, told(
    "the stopped models used up the time, and m29, which had answered, was not asked")
assert seconds < 7, told("each stopped model costs a timeout of its own: 29 of them make 14 seconds")
assert result == right, told("compare the mean and the missing names")

# %% hidden="ensemble-waits" points=1
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queues = {m: tf.queue.FIFOQueue(20, [tf.int32, tf.float32], shapes=[(), (2,)]) for m in "abc"}
    for model in "ac":
        queues[model].dequeue(name=f"{model}/next"), queues[model].size(name=f"{model}/size")
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float64, 0.)
    due = table.lookup(tf.constant("b"))             # from then on the prediction of b is there
    there = tf.while_loop(lambda now: now < due, lambda now: tf.timestamp(), [tf.timestamp()])
    with tf.control_dependencies(there):
        tf.raw_ops.IdentityN(input=queues["b"].dequeue(), name="b/next")
    tf.where(tf.timestamp() < due, 0, queues["b"].size(), name="b/size")
    tf.group(*[queues[m].enqueue([0, value]) for m, value in (("a", [1., 5.]), ("b", [3., 1.]))],
             table.insert("b", tf.timestamp() + 0.4), name="arrive_0")
try:
    got = ensemble(graph.as_graph_def().SerializeToString(), ["a", "b", "c"], 1, 1500)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"mean": [2., 3.], "missing": ["c"]}]

def told(likely):
    return (f"asked:    a answers [1, 5] at once, b [3, 1] after 0.4 seconds, c never; timeout_ms=1500\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 4, point 2")

assert type(got) is list and len(got) == 1 and type(got[0]) is dict, told(
    "the result is not a list with a dict of mean and missing for each step")
assert got[0].get("missing") != ["b", "c"], told(
    "took only what was there at once: wait, up to timeout_ms, for those that have not answered yet")
assert got == right, told("compare the mean and the missing names")

# %% [markdown] exercise="stop"
# ### Exercise 5 · Stop cleanly
#
# Write `stop_cleanly(graph_bytes, producers, n)`. Each name in `producers` is an op of the graph that puts several
# elements into *one* FIFO queue (an `enqueue_many`). It may be more than the queue has room for, so an op may have to
# wait. The graph also has `next:0` (takes one element), `size:0`, and two ops, `close` and `cancel`: the plain close,
# and the one with `cancel_pending_enqueues=True`. You need not use all of them.
#
# 1. Run each producer's op once, all at the same time, each in a thread of its own.
# 2. Take `n` elements.
# 3. Stop: no producer may go on or wait any more.
# 4. Take what was in the queue when you stopped. Nothing of it may be lost.
#
# Return `{"taken": [...], "rest": [...], "ended": {...}}`: the `n` elements, those of point 4, and for each producer
# `"done"` if its op returned, or the name of the error's class if it did not. A producer that had not yet begun ends
# with `CancelledError` too.
#
# Example: the queue has 2 places and the op `p` puts 1, 2, 3, 4, 5, 6. Then `stop_cleanly(graph, ["p"], 1)` is
# `{"taken": [1.0], "rest": [2.0, 3.0], "ended": {"p": "CancelledError"}}`.
#
# Careful: a wrong order hangs here, and the stop button does not free a `session.run`. If your try cell does not end,
# restart the kernel.

# %% solution="stop"
def stop_cleanly(graph_bytes, producers, n):
    """Run producers, take n elements, then stop everything without losing any.

    Args:
        graph_bytes: bytes of a GraphDef with the producers' ops, "next:0", "size:0", "close" and "cancel".
        producers: list of str, names of ops.
        n: int, elements to take before stopping; 1 or more, and no more than the producers put.
    Returns:
        dict: "taken" and "rest", lists of float; "ended", a dict: producer -> "done" or an error's class.
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

# %%
def producer_graph(capacity, **puts):
    """An example for exercise 5: one op for each keyword, which puts the numbers given."""
    with tf.Graph().as_default() as graph:
        queue = tf.queue.FIFOQueue(capacity, tf.float32, shapes=[()])
        for name, numbers in puts.items():
            queue.enqueue_many([[float(number) for number in numbers]], name=name)
        queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
        queue.close(cancel_pending_enqueues=True, name="cancel")
    return graph.as_graph_def().SerializeToString()

# %% try="stop"
try:
    print(stop_cleanly(producer_graph(2, p=[1, 2, 3, 4, 5, 6]), ["p"], 1))
except NotImplementedError as error:
    print(error)

# %% check="stop-waiting" points=3
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(3, tf.float32, shapes=[()])
    queue.enqueue_many([[10., 20., 30., 40., 50., 60., 70., 80.]], name="p")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
try:
    got = stop_cleanly(graph.as_graph_def().SerializeToString(), ["p"], 2)
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = {"taken": [10., 20.], "rest": [30., 40., 50.], "ended": {"p": "CancelledError"}}

def told(likely):
    return (f"asked:    a queue with 3 places, p puts 10 to 80 (eight numbers), n=2\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   section 5, The end: closing, draining, cancelling")

assert type(got) is dict and set(got) == {"taken", "rest", "ended"}, told(
    "the result is not a dict of taken, rest and ended")
assert all(type(got[key]) is list for key in ("taken", "rest")) and type(got["ended"]) is dict, told(
    "taken and rest are lists, ended is a dict")
taken, rest = ([float(value) for value in got[key]] for key in ("taken", "rest"))
assert taken == right["taken"], told("taken are the first n elements")
assert set(got["ended"]) == {"p"}, told(
    "ended lacks a producer: stop first, then wait for its thread, then write down how it ended")
assert len(rest) <= 3, told("p went on while you were draining: stop it first, then take the rest")
assert rest != [], told(
    "what was in the queue is lost: the session, or the program, was over before the queue was drained")
assert rest == right["rest"], told("the rest are all elements that were in the queue, in their order")
assert got["ended"] == right["ended"], told(
    "p was waiting for a place when it was stopped: its op ended with an error")

# %% hidden="stop-done" points=2
import tensorflow as tf

with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(4, tf.float32, shapes=[()])
    queue.enqueue_many([[7., 8., 9., 5., 6.]], name="quick")
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
try:
    got = [stop_cleanly(graph.as_graph_def().SerializeToString(), ["quick"], n) for n in (2, 5)]
except tf.errors.OpError as error:
    got = f"{type(error).__name__} was raised"
right = [{"taken": [7., 8.], "rest": [9., 5., 6.], "ended": {"quick": "done"}},
         {"taken": [7., 8., 9., 5., 6.], "rest": [], "ended": {"quick": "done"}}]

def told(likely):
    return (f"asked:    a queue with 4 places, quick puts 7, 8, 9, 5, 6; once n=2, once n=5\n"
            f"got:      {got}\n"
            f"expected: {right}\n"
            f"likely:   {likely}\n"
            f"reread:   the text of exercise 5: \"done\" if its op returned")

assert type(got) is list, told("an error was raised: the end of the queue is no fault")
assert all(type(part) is dict and set(part) == {"taken", "rest", "ended"} for part in got), told(
    "the result is not a dict of taken, rest and ended")
numbers = [[[float(value) for value in part[key]] for key in ("taken", "rest")] for part in got]
assert numbers[1] == [right[1]["taken"], []], told("when all was taken, the rest is empty")
assert numbers == [[part["taken"], part["rest"]] for part in right], told(
    "the rest are all elements that were in the queue")
assert [part["ended"] for part in got] == [{"quick": "done"}] * 2, told(
    "all elements of quick had room, so its op returned: look at what the thread really ended with")

# %% hidden="stop-several" points=2
import tensorflow as tf

puts = {"a": [11., 12., 13., 14., 15.], "b": [21., 22., 23., 24., 25.], "c": [31., 32., 33., 34., 35.]}
with tf.Graph().as_default() as graph:
    queue = tf.queue.FIFOQueue(2, tf.float32, shapes=[()])
    for name, numbers in puts.items():
        queue.enqueue_many([numbers], name=name)
    queue.dequeue(name="next"), queue.size(name="size"), queue.close(name="close")
    queue.close(cancel_pending_enqueues=True, name="cancel")
for n in (7, 1, 11):
    try:
        got = stop_cleanly(graph.as_graph_def().SerializeToString(), list(puts), n)
    except tf.errors.OpError as error:
        got = f"{type(error).__name__} was raised"

    def told(likely):
        return (f"asked:    a queue with 2 places, three producers at once: {puts}; n={n}\n"
                f"got:      {got}\n"
                f"expected: {n} taken and 2 as the rest; done are those of which all elements came\n"
                f"likely:   {likely}\n"
                f"reread:   section 5, The end: closing, draining, cancelling")

    assert type(got) is dict and set(got) == {"taken", "rest", "ended"}, told(
        "the result is not a dict of taken, rest and ended")
    assert type(got["ended"]) is dict and set(got["ended"]) == set(puts), told(
        "ended has an entry for each producer")
    taken, rest = ([float(value) for value in got[key]] for key in ("taken", "rest"))
    assert len(taken) == n, told("n elements are to be taken before stopping")
    assert len(rest) <= 2, told("the producers went on while you were draining")
    # each n is 1 or 2 after a multiple of 5: a producer is in the middle and waits; the queue is full
    assert len(rest) == 2, told("what was in the queue is lost, or a part of it")
    came = {name: [value for value in taken + rest if value // 10 == numbers[0] // 10]
            for name, numbers in puts.items()}
    assert all(came[name] == numbers[:len(came[name])] for name, numbers in puts.items()), told(
        "an element is lost, or came twice: each producer's elements come in its order")
    assert sum(map(len, came.values())) == len(taken + rest), told("an element came that nobody had put")
    refilled = [name for name, end in got["ended"].items() if end == "done" and 0 < len(came[name]) < 5]
    true = {name: "done" if came[name] == numbers else "CancelledError" for name, numbers in puts.items()}
    assert not refilled or "CancelledError" not in got["ended"].values(), told(
        "a producer is done, but some of its elements are lost: it filled the places that you made free "
        "by draining before you stopped it")
    assert got["ended"] == true, told(
        "a producer is done only if all its elements are in; the others were cancelled")

# %% [markdown] exercise="smaller"
# ### Exercise 6 · In your own words
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
# elements that it held are gone: up to 31 for each timeout, and how many depends on how late the data was, so it
# changes from run to run. She could have compared the number of examples put with the number taken (and left in the
# queue); no error says that they are lost. Instead she should take elements one by one, and keep those that she has
# over a timeout; or let `dequeue_many` wait without a timeout and notice the end by closing the queue; or use
# `tf.data`, whose `batch` loses nothing. The session's timeout is still good as a net: it turns a hang that nobody
# foresaw, such as a deadlock or a dead producer, into an error.
#
# One point each: the cancelled call loses what it held; how to notice it; what to do instead, and what the timeout is
# good for.
# </details>
