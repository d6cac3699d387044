"""So many notebooks of a class run their cells at once, in its order; the next one's kernel starts meanwhile."""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """Gives turns for ``count`` notebooks at once. Threads may ask for any of them."""

    def __init__(self, count: int) -> None:
        self.free, self.waiting, self.changed = count, deque[Turn](), threading.Condition()

    def next(self) -> Turn:
        """A turn behind those given out before."""
        turn = Turn(self)
        with self.changed:
            self.waiting.append(turn)
        return turn


class Turn:
    """One notebook's turn: taken while its cells run, and given back in any case, also by one that never took it."""

    def __init__(self, turns: Turns) -> None:
        self._turns, self._has = turns, False

    def take(self, seconds: float) -> bool:
        """Wait so long for it; whether it is there. A slot is left for each one before it that waits."""
        turns = self._turns
        with turns.changed:
            if self not in turns.waiting and not self._has:  # it was given back, and is wanted once more
                turns.waiting.appendleft(self)
            if not self._has and turns.changed.wait_for(lambda: turns.free > turns.waiting.index(self), seconds):
                turns.waiting.remove(self)
                turns.free -= 1
                self._has = True
        return self._has

    def give_back(self) -> None:
        turns = self._turns
        with turns.changed:
            if self._has:
                turns.free += 1
                self._has = False
            elif self in turns.waiting:
                turns.waiting.remove(self)
            turns.changed.notify_all()
