"""Messages of a kernel that take the grader long to read are not read, and those that nobody asked for are counted."""

from __future__ import annotations

import asyncio
import json

import pytest
import zmq.asyncio
from jupyter_client.session import Session

from autograder.authoring.answers import submission
from autograder.grading.messages import LIGHT, MAX_HEADING, MAX_OUTSIDE, Unread, is_heavy, read_message
from autograder.grading.sandbox.client import WakingChannel
from autograder.grading.text import clean
from tests.conftest import ROOT
from tests.grading.conftest import graded
from tests.pace import Stopwatch

LISTS = b'{"a": [' + b"[]," * 600_000 + b"1]}"
FORGED = (ROOT / "tests/attacks/cells/replies_of_many_values.py").read_text(encoding="utf-8")


def packed(session: Session, content: bytes, **parent: str) -> list[bytes]:
    frames = session.serialize(session.msg("execute_reply", {}, parent={"header": parent}))
    frames[-1] = content
    frames[1] = session.sign(frames[2:])
    return frames


@pytest.mark.parametrize(
    ("content", "heavy"),
    [
        (LISTS, True),
        (b"[" + b'"",' * 300_000 + b"1]", True),
        (json.dumps({"text": str([[1, 2]] * 500_000)}).encode(), False),
        (json.dumps({"text": '"quoted", ' * 300_000}).encode(), False),
        (json.dumps({"text": "\\\\" * LIGHT}).encode(), False),
        (b"[" * 1000, False),
    ],
    ids=["lists", "texts", "a long list that is printed", "quotes in a text", "backslashes", "short"],
)
def test_values_count_and_what_is_in_texts_does_not(content, heavy):
    assert is_heavy(content) is heavy


def test_what_is_heavy_is_told_and_what_answers_another_is_not_read():
    session = Session(key=b"secret")
    message = read_message(session, packed(session, LISTS, msg_id="mine"), wanted="mine")
    assert message and isinstance(message["content"], Unread) and message["content"].size == len(LISTS)
    assert read_message(session, packed(session, LISTS, msg_id="other"), wanted="mine") is None
    light = read_message(session, packed(session, b'{"status": "ok"}', msg_id="mine"))
    assert light and light["content"] == {"status": "ok"}
    with pytest.raises(ValueError, match="too long"):
        read_message(session, packed(session, b"{}", msg_id="x" * MAX_HEADING))


def test_replies_that_nobody_asked_for_end_the_check(sums):
    report = graded(submission(sums, {"double": FORGED, "halve": "def halve(x): return x / 2"}), sums).report
    assert "makes no sense (it is many)" in report.checks[0].message


def test_long_numbers_are_heavy_and_long_texts_are_not():
    numbers = b'{"a": [' + b",".join([b"9" * 4000] * 1200) + b"]}"
    assert len(numbers) > MAX_OUTSIDE and is_heavy(numbers)
    assert not is_heavy(b'{"a": "' + b"9" * len(numbers) + b'"}')


def test_no_more_of_a_long_text_is_cleaned_than_is_kept():
    text = "\x7f" * 5_000_000
    watch = Stopwatch()
    assert clean(text, 40) == "�" * 40
    assert clean("ab\x7f", 2) == "ab"
    assert watch.seconds() < 0.05


def test_a_wait_that_is_not_woken_looks_again_in_a_second(monkeypatch):
    """A wait of pyzmq's sometimes ends at its time alone, though a message has come."""

    async def poll(socket, timeout):
        waits.append(timeout)
        if len(waits) > 1:
            return await woken(socket, timeout)
        await asyncio.sleep(timeout / 1000)
        return 0

    async def received():
        with zmq.asyncio.Context() as context, context.socket(zmq.PAIR) as kernel, context.socket(zmq.PAIR) as here:
            here.bind("inproc://not-woken")
            kernel.connect("inproc://not-woken")
            await kernel.send_multipart(packed(session, b"{}"))
            return await WakingChannel(here, session).get_msg(timeout=120)

    waits: list[int] = []
    woken, session = zmq.asyncio.Socket.poll, Session(key=b"a key")
    monkeypatch.setattr(zmq.asyncio.Socket, "poll", poll)
    message = asyncio.run(received())
    assert message["msg_type"] == "execute_reply" and waits == [1000, 1000]
