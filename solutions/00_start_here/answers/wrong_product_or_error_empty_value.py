# exercise: product_or_error
# score:    2/4
# breaks:   4
# fails:    product_or_error-sizes: value must be None
# fails:    product_or_error-other-errors: value must be None
# why:      an empty list where there is no product
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": [], "error": type(error).__name__}
