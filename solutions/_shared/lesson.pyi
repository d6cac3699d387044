"""Names that a lesson's own cells define and a shared cell uses; the lint looks whether such a cell comes before it."""

from typing import Any

AROUND: str
MODEL: str
SESSION: str
v1: Any

def ask(session: Any, number: int, batch: Any, models: Any, seconds: float) -> Any: ...
def client_graph(count: int) -> Any: ...
def queues(model: int) -> Any: ...
