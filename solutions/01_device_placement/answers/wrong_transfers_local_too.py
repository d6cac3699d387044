# exercise: transfers
# score:    2/7
# fails:    transfers-once, transfers-real, transfers-constants
# says:     stays on its device
# why:      counts values that stay on their device
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if move not in moves:
            moves.append(move)
    return sorted(moves)
