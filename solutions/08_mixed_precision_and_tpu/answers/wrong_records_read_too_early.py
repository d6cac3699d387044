# exercise: records
# score:    0/7
# fails:    records-labels: the files are empty
# fails:    records-images: the file is empty
# fails:    records-shards: neutral
# fails:    records-format: there are 0 records for
# why:      reads the file before the writer is closed
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
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
                contents.append(path.read_bytes())
    return contents
