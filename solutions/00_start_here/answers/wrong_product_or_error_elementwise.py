# exercise: product_or_error
# score:    1/4
# breaks:   1
# fails:    product_or_error-product: works element by element
# fails:    product_or_error-sizes: no error was raised
# fails:    product_or_error-whole-numbers: this has three rows
# why:      multiplies element by element, which also fits rows of one length
def product_or_error(left, right):
    try:
        return {"value": tf.multiply(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
