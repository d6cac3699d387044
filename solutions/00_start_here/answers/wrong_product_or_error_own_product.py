# exercise: product_or_error
# score:    3/4
# fails:    product_or_error-other-errors: this error is not TensorFlow's
# why:      multiplies without TensorFlow, and knows two mistakes by their sizes
def product_or_error(left, right):
    if len({len(r) for r in left}) > 1 or len({len(r) for r in right}) > 1:
        return {"value": None, "error": "ValueError"}
    if len(left[0]) != len(right):
        return {"value": None, "error": "InvalidArgumentError"}
    return {"value": [[sum(a*b for a, b in zip(r, c)) for c in zip(*right)] for r in left], "error": None}
