# exercise: top_k
# score:    5/5
# why:      the three have names
from collections import namedtuple

Sent = namedtuple("Sent", "places values left")


def top_k(gradient, k, left):
    total = gradient.astype(np.float32) if left is None else np.add(gradient, left, dtype=np.float32)
    places = np.argsort(-np.abs(total))[:k]
    rest = np.where(np.isin(np.arange(total.size), places), np.float32(0), total)
    return Sent(places=places, values=total[places], left=rest)
