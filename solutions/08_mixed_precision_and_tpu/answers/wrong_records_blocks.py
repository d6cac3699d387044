# exercise: records
# score:    3/7
# breaks:   2
# fails:    records-labels: here the files are blocks; image i belongs in file i % shards
# fails:    records-shards: neutral
# why:      each file gets a block of neighbours
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            path = pathlib.Path(folder, f"{shard}.tfrecord")
            with tf.io.TFRecordWriter(str(path)) as writer:
                for i in range(shard * -(-len(images) // shards), min(len(images), (shard + 1) * -(-len(images) // shards))):
                    png = tf.io.encode_png(images[i]).numpy()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
            contents.append(path.read_bytes())
    return contents
