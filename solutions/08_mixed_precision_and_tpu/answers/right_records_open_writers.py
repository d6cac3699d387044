# exercise: records
# score:    7/7
# why:      all writers open at once, then closed
import contextlib
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"part-{i:05}" for i in range(shards)]
        with contextlib.ExitStack() as stack:
            writers = [stack.enter_context(tf.io.TFRecordWriter(str(path))) for path in paths]
            for i, (image, label) in enumerate(zip(images, labels)):
                example = tf.train.Example()
                example.features.feature["image"].bytes_list.value.append(tf.io.encode_png(image).numpy())
                example.features.feature["label"].int64_list.value.append(int(label))
                writers[i % shards].write(example.SerializeToString())
        return [path.read_bytes() for path in paths]
