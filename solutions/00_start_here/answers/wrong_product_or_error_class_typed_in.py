# exercise: product_or_error
# score:    3/4
# breaks:   5
# fails:    product_or_error-other-errors: not the class of the error
# why:      the class of the example is typed in
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception:
        return {"value": None, "error": "InvalidArgumentError"}
