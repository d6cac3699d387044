# exercise: spread
# score:    9/9
# why:      today's form: a traced tf.function
def spread(n, devices):
    @tf.function
    def work():
        a, one = tf.constant([[1., 2.], [3., 4.]]), tf.eye(2)
        products = []
        for i in range(1, n + 1):
            with tf.device(devices[-i % len(devices)]):
                products.append(tf.matmul(a, one * i))
        with tf.device("CPU:0"):
            return tf.reduce_sum(tf.stack(products), axis=0, name="total")
    return work.get_concrete_function().graph.as_graph_def().SerializeToString()
