# exercise: product_or_error
# score:    1/4
# fails:    product_or_error-product, product_or_error-sizes, product_or_error-whole-numbers
# says:     no error was raised
# why:      multiplies element by element, which also fits rows of one length, so that nothing is raised
def product_or_error(left, right):
    try:
        return {"value": tf.multiply(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": type(error).__name__}
