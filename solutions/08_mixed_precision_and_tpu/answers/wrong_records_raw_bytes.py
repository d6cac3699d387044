# exercise: records
# score:    3/7
# breaks:   7
# fails:    records-images: the bytes are not a PNG
# fails:    records-shards: neutral
# why:      the image's bytes without PNG
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
                    png = images[i].tobytes()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(labels[i])])),
                    }
                    example = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(example.SerializeToString())
            contents.append(path.read_bytes())
    return contents
