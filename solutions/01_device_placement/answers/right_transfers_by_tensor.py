# exercise: transfers
# score:    7/7
# why:      groups the readers of each tensor; tuples

import collections


def transfers(placement, edges):
    readers = collections.defaultdict(set)
    for tensor, reader in edges:
        readers[tensor].add(placement[reader])
    return [(tensor, placement[tensor.rsplit(":", 1)[0]], device) for tensor in sorted(readers)
            for device in sorted(readers[tensor] - {placement[tensor.rsplit(":", 1)[0]]})]
