# exercise: transfers
# score:    5/7
# fails:    transfers-outputs
# says:     two outputs of one op are two values
# why:      forgets that an op has several outputs
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if source != target and [source, target, tensor.split(":")[0]] not in [[s, t, n.split(":")[0]] for n, s, t in moves]:
            moves.append(move)
    return sorted(moves)
