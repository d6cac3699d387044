# exercise: records
# score:    7/7
# why:      slices with a step; a helper makes the record; no with
import os
import shutil
import tempfile

import tensorflow as tf


def record(image, label):
    image_list = tf.train.BytesList(value=[bytes(tf.image.encode_png(image).numpy())])
    label_list = tf.train.Int64List(value=[label])
    features = tf.train.Features()
    features.feature["label"].CopyFrom(tf.train.Feature(int64_list=label_list))
    features.feature["image"].CopyFrom(tf.train.Feature(bytes_list=image_list))
    return tf.train.Example(features=features).SerializeToString()


def to_records(images, labels, shards):
    folder = tempfile.mkdtemp()
    result = ()
    for k in range(shards):
        name = os.path.join(folder, str(k))
        writer = tf.io.TFRecordWriter(name)
        for image, label in zip(images[k::shards], labels[k::shards]):
            writer.write(record(image, int(label)))
        writer.close()
        with open(name, "rb") as file:
            result += (file.read(),)
    shutil.rmtree(folder)
    return list(result)
