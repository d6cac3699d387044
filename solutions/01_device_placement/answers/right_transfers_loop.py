# exercise: transfers
# score:    7/7
# why:      a loop that remembers what was sent
def transfers(placement, edges):
    moves = []
    for tensor, reader in edges:
        op, _, _ = tensor.partition(":")
        move = [tensor, placement[op], placement[reader]]
        if move[1] != move[2] and move not in moves:
            moves.append(move)
    moves.sort()
    return moves
