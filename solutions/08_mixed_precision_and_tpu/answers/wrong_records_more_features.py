# exercise: records
# score:    6/7
# breaks:   6
# fails:    records-format: there are other features beside image and label
# why:      adds the size as a third feature
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
                        "height": tf.train.Feature(int64_list=tf.train.Int64List(value=[len(images[i])])),
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
            contents.append(path.read_bytes())
    return contents
