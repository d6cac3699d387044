"""Messages of a kernel that a stranger's code runs in: reading one may take no longer than it is worth.

While Python reads JSON no other thread of the grader runs, and so no other submission is watched, or goes on.
"""

from __future__ import annotations

from typing import Any

from jupyter_client.session import Session

MAX_HEADING = 4_000  # bytes of each part of a message that says what it is, of which 600 are used
LIGHT, MAX_VALUES = 500_000, 200_000  # bytes of a content that is always read; values of JSON in one that is
MAX_OUTSIDE = 4 << 20  # bytes that stand in no string of it: a whole number of thousands of digits is one value


class Unread(dict[str, Any]):
    """In place of a content of so many values that reading it would keep all other threads waiting."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size  # bytes


def is_heavy(content: bytes) -> bool:
    """Whether a text of JSON holds more values than a kernel has reason to send. What is in strings costs little."""
    if len(content) <= LIGHT:
        return False
    plain = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > MAX_VALUES:
        return True
    outside = b"".join(plain.split(b'"')[::2])
    return len(outside) > MAX_OUTSIDE or sum(map(outside.count, (b",", b":", b"[", b"{"))) > MAX_VALUES


def read_message(session: Session, frames: list[bytes], wanted: str | None = None) -> dict[str, Any] | None:
    """A message, of which no part is read that takes long.

    Args:
        session: whose messages it may be one of.
        frames: as they came.
        wanted: the message that it must answer; else it is None.

    Raises:
        ValueError, TypeError, KeyError: it is no message of this session, or says too much of itself.
    """
    parts: Any = session.feed_identities(frames)[1]
    if any(len(part) > MAX_HEADING for part in parts[1:4]):
        raise ValueError("what a message says of itself is too long")
    message: dict[str, Any] = session.deserialize(parts, content=False)
    if wanted is not None and message["parent_header"].get("msg_id") != wanted:
        return None
    if not is_heavy(parts[4]):
        return session.deserialize(parts)
    message["content"] = Unread(len(parts[4]))
    return message
