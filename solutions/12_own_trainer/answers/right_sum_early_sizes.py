# exercise: sum_early
# score:    8/8
# why:      counts bytes by itself; np.split takes the sums apart
def sum_early(gradients, limit, start):
    waiting, numbers, parts, size = [], [], [], 0
    for number, gradient in gradients:
        numbers.append((number, gradient.shape))
        parts.append(gradient.ravel())
        size += gradient.nbytes
        if size >= limit:
            waiting.append((numbers, start(np.concatenate(parts))))
            numbers, parts, size = [], [], 0
    if parts:
        waiting.append((numbers, start(np.concatenate(parts))))
    result = {}
    for numbers, future in waiting:
        sizes = [int(np.prod(shape)) for _, shape in numbers]
        for (number, shape), part in zip(numbers, np.split(future.result(), np.cumsum(sizes)[:-1])):
            result[number] = np.reshape(part, shape)
    return result
