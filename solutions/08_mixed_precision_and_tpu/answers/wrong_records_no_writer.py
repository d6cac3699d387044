# exercise: records
# score:    6/7
# breaks:   9
# fails:    records-format: the check sums do not fit what is written
# why:      puts the records together without check sums
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            path = pathlib.Path(folder, f"{shard}.tfrecord")
            with open(path, "wb") as writer:
                for i in range(shard, len(images), shards):
                    png = tf.io.encode_png(images[i]).numpy()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    body = example.SerializeToString()
                    writer.write(len(body).to_bytes(8, "little") + bytes(4) + body + bytes(4))
            contents.append(path.read_bytes())
    return contents
