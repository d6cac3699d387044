# exercise: records
# score:    7/7
# why:      tf.data makes the shards; one file name is used again and again
import pathlib
import tempfile

import tensorflow as tf


def to_records(images, labels, shards):
    numbers = tf.data.Dataset.range(len(images))
    answer = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "shard"
        for index in range(shards):
            lines = []
            for number in numbers.shard(shards, index).as_numpy_iterator():
                example = tf.train.Example()
                example.features.feature["label"].int64_list.value[:] = [int(labels[number])]
                example.features.feature["image"].bytes_list.value[:] = [tf.io.encode_png(images[number]).numpy()]
                lines.append(example.SerializeToString())
            with tf.io.TFRecordWriter(str(path)) as writer:
                for line in lines:
                    writer.write(line)
            answer.append(path.read_bytes())
    return answer
