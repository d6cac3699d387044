# exercise: transfers
# score:    3/7
# fails:    transfers-real, transfers-outputs
# says:     not sorted
# why:      in the order of the edges
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if source != target and move not in moves:
            moves.append(move)
    return moves
