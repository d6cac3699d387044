# exercise: average
# score:    7/7
# why:      the gradient of the mean of all losses
def average(table, heads, towers):
    words = tf.Variable(table)
    of_task = {name: tf.Variable(value) for name, value in heads.items()}
    with tf.GradientTape() as tape:
        losses = []
        for tower in towers:
            vectors = tf.nn.embedding_lookup(words, tower["words"])
            answer = tf.tensordot(tf.reduce_sum(vectors, 0), of_task[tower["task"]], 1)
            losses.append(tf.square(answer - tower["target"]))
        loss = tf.add_n(losses) / len(losses)
    for_words, for_tasks = tape.gradient(loss, (words, of_task))
    arrays = {name: None if value is None else value.numpy().tolist() for name, value in for_tasks.items()}
    return {"table": tf.convert_to_tensor(for_words).numpy().tolist(), "heads": arrays}
