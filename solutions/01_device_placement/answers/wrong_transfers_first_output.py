# exercise: transfers
# score:    5/7
# fails:    transfers-outputs
# says:     also when the number after it is not 0
# why:      takes only ":0" off a tensor's name
def transfers(placement, edges):
    moves = {(tensor, placement[tensor.removesuffix(":0")], placement[reader]) for tensor, reader in edges}
    return sorted([tensor, source, target] for tensor, source, target in moves if source != target)
