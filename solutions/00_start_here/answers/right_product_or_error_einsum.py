# exercise: product_or_error
# score:    4/4
# why:      Einstein's sum in place of matmul, and both answers built in one place
def product_or_error(left, right):
    value = error = None
    try:
        value = tf.einsum("ij,jk->ik", tf.constant(left), tf.constant(right)).numpy().tolist()
    except (tf.errors.OpError, ValueError, TypeError) as caught:
        error = caught.__class__.__name__
    return {"error": error, "value": value}
