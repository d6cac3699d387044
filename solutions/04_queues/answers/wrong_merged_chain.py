# exercise: merged
# score:    0/7
# breaks:   1
# fails:    merged-all: by a thread of its own
# fails:    merged-ahead: does not run ahead
# fails:    merged-fails: the source that failed has stopped the other one
# fails:    merged-stops: a thread still waits for a free place
# fails:    merged-slow: waits for the slow one
# why:      tf.data's own thread reads one source after the other
def merged(sources, places):
    def elements():
        for source in sources:
            yield from source

    return tf.data.Dataset.from_generator(elements, output_signature=tf.TensorSpec([], tf.float32))
