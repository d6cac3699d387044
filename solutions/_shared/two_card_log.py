# @title A start-up log of two cards (run this too)
"""What TensorFlow wrote when it started on a host with two unlike cards, under three masks.

A real log of TensorFlow 0.x, which said more than today's. Lines about loading libraries are
left out.
"""

TITAN = """\
I tensorflow/core/common_runtime/gpu/gpu_device.cc:885] Found device {number} with properties:
name: GeForce GTX TITAN X
major: 5 minor: 2 memoryClockRate (GHz) 1.076
pciBusID 0000:02:00.0
Total memory: 11.92GiB
Free memory: 11.81GiB
"""
GTX_970 = """\
I tensorflow/core/common_runtime/gpu/gpu_device.cc:885] Found device {number} with properties:
name: GeForce GTX 970
major: 5 minor: 2 memoryClockRate (GHz) 1.2155
pciBusID 0000:05:00.0
Total memory: 3.94GiB
Free memory: 3.88GiB
"""
WARNING = """\
W tensorflow/stream_executor/cuda/cuda_driver.cc:590] creating context when one is currently \
active; existing: 0x190d4f0
"""
PEERS = """\
I tensorflow/core/common_runtime/gpu/gpu_device.cc:777] Peer access not supported between device \
ordinals 0 and 1
I tensorflow/core/common_runtime/gpu/gpu_device.cc:777] Peer access not supported between device \
ordinals 1 and 0
I tensorflow/core/common_runtime/gpu/gpu_device.cc:906] DMA: 0 1
I tensorflow/core/common_runtime/gpu/gpu_device.cc:916] 0:   Y N
I tensorflow/core/common_runtime/gpu/gpu_device.cc:916] 1:   N Y
"""
ALONE = """\
I tensorflow/core/common_runtime/gpu/gpu_device.cc:906] DMA: 0
I tensorflow/core/common_runtime/gpu/gpu_device.cc:916] 0:   Y
"""
CREATED = """\
I tensorflow/core/common_runtime/gpu/gpu_device.cc:975] Creating TensorFlow device (/gpu:{number}) \
-> (device: {number}, name: {name}, pci bus id: {bus})
"""
MAPPING = """\
Device mapping:
/job:localhost/replica:0/task:0/gpu:0 -> device: 0, name: GeForce GTX TITAN X, \
pci bus id: 0000:02:00.0
/job:localhost/replica:0/task:0/gpu:1 -> device: 1, name: GeForce GTX 970, pci bus id: 0000:05:00.0
"""
SESSION = "I tensorflow/core/common_runtime/direct_session.cc:255] "


def created(number, name, bus):
    """The line of one TensorFlow device."""
    return CREATED.format(number=number, name=name, bus=bus)


def two_card_log(mask):
    """The log under one of the masks "0,1", "0" and "1"."""
    titan_bus, gtx_bus = "0000:02:00.0", "0000:05:00.0"
    titan, gtx = "GeForce GTX TITAN X", "GeForce GTX 970"
    if mask == "0":
        return TITAN.format(number=0) + ALONE + created(0, titan, titan_bus)
    if mask == "1":
        return GTX_970.format(number=0) + ALONE + created(0, gtx, gtx_bus)
    found = TITAN.format(number=0) + WARNING + GTX_970.format(number=1)
    both = created(0, titan, titan_bus) + created(1, gtx, gtx_bus)
    return found + PEERS + both + MAPPING + SESSION + MAPPING
