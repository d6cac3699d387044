# exercise: transfers
# score:    3/7
# fails:    transfers-real, transfers-outputs
# says:     can travel to several devices
# why:      one transfer for each tensor, whatever the number of devices
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        source, target = placement[tensor.split(":")[0]], placement[reader]
        move = [tensor, source, target]
        if source != target and tensor not in [sent for sent, *_ in moves]:
            moves.append(move)
    return sorted(moves)
