# exercise: records
# score:    2/7
# breaks:   8
# fails:    records-labels: label is a feature with one int64 value
# fails:    records-shards: the images are right and their labels are not
# fails:    records-format: label is a feature with one int64 value
# why:      the label is a text
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            path = pathlib.Path(folder, f"{shard}.tfrecord")
            with tf.io.TFRecordWriter(str(path)) as writer:
                for i in range(shard, len(images), shards):
                    png = tf.io.encode_png(images[i]).numpy()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(bytes_list=tf.train.BytesList(value=[str(labels[i]).encode()])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
            contents.append(path.read_bytes())
    return contents
