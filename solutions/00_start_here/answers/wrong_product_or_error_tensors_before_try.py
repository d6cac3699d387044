# exercise: product_or_error
# score:    3/4
# breaks:   6
# fails:    product_or_error-other-errors: no except clause caught it
# why:      makes the tensors before the try begins
def product_or_error(left, right):
    a, b = tf.constant(left), tf.constant(right)
    try:
        return {"value": tf.matmul(a, b).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
