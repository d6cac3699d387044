# exercise: product_or_error
# score:    4/4
# why:      the good case stands in the else branch
def product_or_error(left, right):
    try:
        product = tf.convert_to_tensor(left) @ tf.convert_to_tensor(right)
    except Exception as problem:
        return dict(value=None, error=type(problem).__name__)
    else:
        return dict(value=[[number.item() for number in row] for row in product.numpy()], error=None)
