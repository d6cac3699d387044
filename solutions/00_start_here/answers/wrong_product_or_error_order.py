# exercise: product_or_error
# score:    2/4
# breaks:   1
# fails:    product_or_error-product: right times left
# fails:    product_or_error-whole-numbers: this has three rows
# why:      multiplies right by left
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(right, left).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
