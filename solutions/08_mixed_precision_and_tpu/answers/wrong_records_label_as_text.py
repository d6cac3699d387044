# exercise: records
# score:    3/7
# fails:    records-labels, records-shards
# says:     one int64 value
# why:      stores the label as text
import pathlib
import tempfile

import tensorflow as tf


def feature(label, png):
    return {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
            "label": tf.train.Feature(bytes_list=tf.train.BytesList(value=[str(label).encode()]))}


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            file = pathlib.Path(folder, f"{shard}.tfrecord")
            with tf.io.TFRecordWriter(str(file)) as writer:
                for i in range(shard, len(images), shards):
                    features = tf.train.Features(feature=feature(int(labels[i]), tf.io.encode_png(images[i]).numpy()))
                    writer.write(tf.train.Example(features=features).SerializeToString())
            contents.append(file.read_bytes())
    return contents
