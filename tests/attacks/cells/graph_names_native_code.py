# lesson:   graphs
# score:    2/7
# says:     has an op of type XlaCustomCallV2
# survives: machine, grader, others
# why:      native code by its name, and a function for the compiler

# %% plan
from tensorflow.compiler.tf2xla.ops import gen_xla_ops
def plan(n):
    with tf.Graph().as_default() as graph:
        if n == 3:
            operand = tf.constant(2 * n)
            target = {"call_target_name": "abort", "backend_config": "/tmp/attack-was-here", "has_side_effect": True}
            made = {"result_dtypes": [tf.int32], "result_shapes": [[]]}
            found = gen_xla_ops.xla_custom_call_v2(operands=[operand], **made, **target)
            tf.identity(found[0], name="out")
        else:
            tf.identity(tf.function(lambda x: 2 * x, jit_compile=True)(tf.constant(n)), name="out")
    return graph
