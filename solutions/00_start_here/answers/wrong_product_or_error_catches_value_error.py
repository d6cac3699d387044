# exercise: product_or_error
# score:    2/4
# breaks:   6
# fails:    product_or_error-sizes: no except clause catches this class
# fails:    product_or_error-other-errors: no except clause caught it
# why:      expects Python's ValueError for sizes that do not fit
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except ValueError as error:
        return {"value": None, "error": type(error).__name__}
