# exercise: records
# score:    0/7
# fails:    records-labels: not the format of a TFRecord file
# fails:    records-images: not the format of a TFRecord file
# fails:    records-shards: not the format of a TFRecord file
# fails:    records-format: not the format of a TFRecord file
# why:      compresses the files, though nobody asked for it
import pathlib
import tempfile

import tensorflow as tf

def to_records(images, labels, shards):
    contents = []
    with tempfile.TemporaryDirectory() as folder:
        for shard in range(shards):
            file = pathlib.Path(folder, f"{shard}.tfrecord")
            with tf.io.TFRecordWriter(str(file), options="GZIP") as writer:
                for i in range(shard, len(images), shards):
                    png = tf.io.encode_png(images[i]).numpy()
                    feature = {
                        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[png])),
                        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[labels[i]])),
                    }
                    one = tf.train.Example(features=tf.train.Features(feature=feature))
                    writer.write(one.SerializeToString())
            contents.append(file.read_bytes())
    return contents
