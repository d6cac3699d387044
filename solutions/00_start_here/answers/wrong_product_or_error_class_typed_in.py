# exercise: product_or_error
# score:    3/4
# fails:    product_or_error-other-errors
# says:     the class name is typed in
# why:      types the class of the example in
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception:
        return {"value": None, "error": "InvalidArgumentError"}
