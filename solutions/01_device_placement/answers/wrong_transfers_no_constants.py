# exercise: transfers
# score:    6/7
# fails:    transfers-constants
# says:     constants travel
# why:      leaves constants out: 'they are everywhere'
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if "const" not in tensor.lower() and source != target and move not in moves:
            moves.append(move)
    return sorted(moves)
