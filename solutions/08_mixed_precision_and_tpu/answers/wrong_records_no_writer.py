# exercise: records
# score:    0/7
# fails:    records-labels, records-images, records-shards, records-format
# says:     this is no TFRecord file
# why:      puts the examples one after the other, without TFRecordWriter
import pathlib
import tempfile

import tensorflow as tf


def feature(label, png):
    return {"image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
            "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[label]))}


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            file = pathlib.Path(folder, f"{shard}.tfrecord")
            with open(file, "wb") as writer:
                for i in range(shard, len(images), shards):
                    features = tf.train.Features(feature=feature(int(labels[i]), tf.io.encode_png(images[i]).numpy()))
                    writer.write(tf.train.Example(features=features).SerializeToString())
            contents.append(file.read_bytes())
    return contents
