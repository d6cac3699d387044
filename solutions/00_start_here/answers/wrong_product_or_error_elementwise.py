# exercise: product_or_error
# score:    1/4
# fails:    product_or_error-product, product_or_error-sizes, product_or_error-whole-numbers
# says:     works element by element
# why:      multiplies element by element
def product_or_error(left, right):
    try:
        return {"value": (tf.constant(left) * tf.constant(right)).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
