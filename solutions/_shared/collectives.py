# @title Collectives
"""Counts, in a profile, the collectives that a function of DTensors makes."""

import pathlib
import tempfile

import tensorflow as tf
from tensorflow.tsl.profiler.protobuf import xplane_pb2

dtensor = tf.experimental.dtensor


def pieces(tensor):
    """What each device holds of a DTensor: a list of arrays. It waits until they are computed."""
    return [piece.numpy() for piece in dtensor.unpack(tensor)]


def profiled(function):
    """Call function() under the profiler; returns what was recorded, an XSpace."""
    with tempfile.TemporaryDirectory() as folder:
        with tf.profiler.experimental.Profile(folder):
            function()
        (file,) = pathlib.Path(folder).rglob("*.xplane.pb")
        return xplane_pb2.XSpace.FromString(file.read_bytes())


def collectives(function, *tensors):
    """How many collectives each device makes in function(*tensors), which returns DTensors."""

    def run():
        results = function(*tensors)
        return [pieces(result) for result in tf.nest.flatten(results)]

    devices = len(run()[0])  # it is traced here, before the profile
    count = 0
    for plane in profiled(run).planes:
        for line in plane.lines:
            names = [plane.event_metadata[event.metadata_id].name for event in line.events]
            count += names.count("CollectiveOpV2Kernel::Run")
    return -(-count // devices)  # a profile may end before the last device's last one is noted
