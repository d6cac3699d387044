# exercise: product_or_error
# score:    2/4
# breaks:   5
# fails:    product_or_error-sizes: this is the whole class
# fails:    product_or_error-other-errors: neutral
# why:      writes the class out instead of asking for its name
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": str(type(error))}
