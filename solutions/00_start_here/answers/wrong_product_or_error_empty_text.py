# exercise: product_or_error
# score:    2/4
# breaks:   3
# fails:    product_or_error-product: error must be None
# fails:    product_or_error-whole-numbers: error must be None
# why:      says with an empty text that nothing went wrong
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": ""}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
