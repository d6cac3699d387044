# exercise: config
# score:    8/8
# why:      writes the message as text and parses it
from google.protobuf import text_format

def memory_config(place, fraction=None, growth=False, cards=None):
    inside = []
    outside = ""
    if fraction is not None:
        if not (fraction > 0 and fraction <= 1):
            raise ValueError("a fraction lies above 0 and is at most 1")
        inside.append(f"per_process_gpu_memory_fraction: {fraction}")
    if growth:
        inside.append("allow_growth: true")
    if cards:
        inside.append('visible_device_list: "' + ",".join(map(str, cards)) + '"')
    if cards is not None and not cards:
        outside = 'device_count { key: "GPU" value: 0 }'
    text = "gpu_options { " + " ".join(inside) + " } " + outside
    config = text_format.Parse(text, tf.compat.v1.ConfigProto())
    if place == "session":
        return config.SerializeToString()
    made = tf.distribute.Server.create_local_server(config, start=False)
    return made.server_def.SerializeToString()
