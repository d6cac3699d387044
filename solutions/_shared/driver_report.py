#@title Ask the driver (run this; open it to see how it works)
# A program for child processes: it prints its arguments, its mask and the cards that the CUDA driver shows it. It does
# not need TensorFlow, so it is quick, and it is honest: without a driver it says so.
LOOK = '''
import ctypes, json, os, sys


def driver():
    """The CUDA driver's library, or None where there is none."""
    try:
        return ctypes.CDLL("nvcuda" if os.name == "nt" else "libcuda.so.1")
    except OSError:
        return None


def cards(cuda):
    """[[name, PCI bus id], ...] in the order of this process's /gpu:0, /gpu:1, ...; empty if none is visible."""
    count, device, text = ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(100)
    if cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)):
        return []
    rows = []
    for number in range(count.value):
        cuda.cuDeviceGet(ctypes.byref(device), number)
        rows.append([])
        for ask in (cuda.cuDeviceGetName, cuda.cuDeviceGetPCIBusId):
            ask(text, len(text), device)
            rows[-1].append(text.value.decode())
    return rows


cuda = driver()
print(json.dumps({"arguments": sys.argv[1:], "mask": os.environ.get("CUDA_VISIBLE_DEVICES"),
                  "cards": "no driver" if cuda is None else cards(cuda)}))
'''
