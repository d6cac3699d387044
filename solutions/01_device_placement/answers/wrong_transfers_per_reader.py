# exercise: transfers
# score:    3/7
# fails:    transfers-once, transfers-real
# says:     not once for each reader
# why:      one transfer for each reader
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if source != target:
            moves.append(move)
    return sorted(moves)
