# exercise: policy
# score:    0/7
# fails:    policy-global: it describes a model with layers of [] units
# fails:    policy-layers: the layers after the input
# fails:    policy-keep: neutral
# fails:    policy-other: The check could not go on
# why:      a text that begins like a description
def mixed_model(features, hidden, classes, policy, keep):
    return '{"config": {"layers": []}}'
