# exercise: product_or_error
# score:    3/4
# breaks:   6
# fails:    product_or_error-other-errors: no except clause caught it
# why:      catches the class of the example only
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except tf.errors.InvalidArgumentError as error:
        return {"value": None, "error": type(error).__name__}
