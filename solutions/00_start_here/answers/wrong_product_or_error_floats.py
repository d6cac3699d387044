# exercise: product_or_error
# score:    3/4
# breaks:   7
# fails:    product_or_error-whole-numbers: numbers with a fraction
# why:      makes floats of everything
def product_or_error(left, right):
    try:
        a, b = tf.constant(left, tf.float32), tf.constant(right, tf.float32)
        return {"value": tf.matmul(a, b).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
