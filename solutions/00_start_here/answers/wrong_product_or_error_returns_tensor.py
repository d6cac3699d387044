# exercise: product_or_error
# score:    2/4
# breaks:   2
# fails:    product_or_error-product: value is a tensor or an array
# fails:    product_or_error-whole-numbers: value is a tensor or an array
# why:      the value is left as a tensor
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
