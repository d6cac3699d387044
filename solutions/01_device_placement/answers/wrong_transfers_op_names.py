# exercise: transfers
# score:    0/7
# fails:    transfers-once, transfers-real, transfers-outputs, transfers-constants
# says:     compare with the example
# why:      gives the op's name instead of the tensor's
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor.split(":")[0], source, target]
        if source != target and move not in moves:
            moves.append(move)
    return sorted(moves)
