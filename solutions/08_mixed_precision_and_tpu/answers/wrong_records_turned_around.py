# exercise: records
# score:    1/7
# breaks:   4
# fails:    records-labels: within a file the order is reversed
# fails:    records-images: neutral
# fails:    records-shards: each file has the right images; within a file their order changed
# why:      within a file the last image comes first
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            path = pathlib.Path(folder, f"{shard}.tfrecord")
            with tf.io.TFRecordWriter(str(path)) as writer:
                for i in range(shard, len(images), shards)[::-1]:
                    png = tf.io.encode_png(images[i]).numpy()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
            contents.append(path.read_bytes())
    return contents
