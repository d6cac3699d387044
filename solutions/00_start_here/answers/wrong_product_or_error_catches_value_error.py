# exercise: product_or_error
# score:    3/4
# fails:    product_or_error-sizes
# says:     the except clause does not name this error's class
# why:      expects Python's ValueError for sizes that do not fit
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except ValueError as error:
        return {"value": None, "error": type(error).__name__}
