# lesson:   graphs
# score:    2/7
# says:     A check runs only ops that compute
# survives: machine, hidden, grader
# why:      an op that brings a program of its own for a compiler

# %% plan
from tensorflow.core.framework import graph_pb2
from google.protobuf import text_format
TEXT = '''
node { name: "n" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 6 } } } }
node { name: "odd" op: "MlirPassthroughOp" input: "n"
  attr { key: "mlir_module" value { s: "module {}" } } attr { key: "Tinputs" value { list { type: DT_INT32 } } }
  attr { key: "Toutputs" value { list { type: DT_INT32 } } } }
node { name: "out" op: "Identity" input: "n" input: "^odd" attr { key: "T" value { type: DT_INT32 } } }
'''
def plan(n):
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(text_format.Parse(TEXT.replace("int_val: 6", f"int_val: {2 * n}"), graph_pb2.GraphDef()), name="")
    return graph
