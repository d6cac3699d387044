# exercise: product_or_error
# score:    4/4
# why:      the product as a sum over outer products; two except clauses
def product_or_error(left, right):
    try:
        a = tf.convert_to_tensor(left)
        b = tf.convert_to_tensor(right)
        tf.matmul(a, b)
        rows = tf.tensordot(a, b, axes=1).numpy()
    except (ValueError, TypeError) as error:
        return {"error": type(error).__name__, "value": None}
    except tf.errors.OpError as error:
        return {"error": error.__class__.__name__, "value": None}
    return {"error": None, "value": rows.tolist()}
