# exercise: transfers
# score:    0/7
# fails:    transfers-once, transfers-real, transfers-outputs, transfers-constants
# says:     direction is turned around
# why:      from the reader to the producer
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, target, source]
        if source != target and move not in moves:
            moves.append(move)
    return sorted(moves)
