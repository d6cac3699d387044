# exercise: top_k
# score:    5/5
# why:      TensorFlow's own top_k, and a subtraction
def top_k(gradient, k, left):
    total = tf.constant(gradient) if left is None else tf.constant(gradient) + tf.constant(left)
    _, places = tf.math.top_k(tf.abs(total), k)
    values = tf.gather(total, places)
    sent = tf.scatter_nd(places[:, None], values, total.shape)
    return places.numpy(), values.numpy(), (total - sent).numpy()
