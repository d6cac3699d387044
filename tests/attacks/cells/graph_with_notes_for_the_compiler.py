# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      an op that asks for a compiler by an attribute

# %% plan
from tensorflow.core.framework import attr_value_pb2
def plan(n):
    with tf.Graph().as_default() as graph:
        out = tf.constant(n) + n
        for name in ("_XlaMustCompile", "_xla_compile_id", "_kernel"):
            value = attr_value_pb2.AttrValue(b=True) if "Must" in name else attr_value_pb2.AttrValue(s=b"attack")
            out.op._set_attr(name, value)
        tf.identity(out, name="out")
    return graph
