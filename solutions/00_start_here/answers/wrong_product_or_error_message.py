# exercise: product_or_error
# score:    2/4
# breaks:   5
# fails:    product_or_error-sizes: this is the message
# fails:    product_or_error-other-errors: neutral
# why:      reports the message instead of the class
def product_or_error(left, right):
    try:
        return {"value": tf.matmul(left, right).numpy().tolist(), "error": None}
    except Exception as error:
        return {"value": None, "error": str(error)}
