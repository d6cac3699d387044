# exercise: product_or_error
# score:    4/4
# why:      a helper function, one dict that is filled as it goes on
def product_or_error(left, right):
    report = {"value": None, "error": None}
    try:
        report["value"] = multiply(left, right)
    except BaseException as problem:
        report["error"] = problem.__class__.__name__
    return report


def multiply(left, right):
    a, b = tf.constant(left), tf.constant(right)
    return (a @ b).numpy().tolist()
