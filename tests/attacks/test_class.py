"""One class of every attack beside honest students, graded once by ``course grade``; each test reads its outcome."""

from __future__ import annotations

import pytest

from autograder.grading.sandbox import probe
from tests.attacks.suite import KEYS, attacks, grade_class

pytestmark = [pytest.mark.xdist_group("attacks"), pytest.mark.slow]
ATTACKS = attacks()
# Floods that end a submission: where a busy machine reads them late, right answers above them keep their points.
LATE = {
    "replies_of_many_values": 7,
    "messages_just_under_the_limit": 7,
    "update_of_300_outputs": 7,
    "updates_of_60_outputs": 7,
}


@pytest.fixture(scope="module")
def graded(request, tmp_path_factory):
    found = probe()
    if not found.works:
        pytest.skip(found.problem)
    asked = {item.name for item in request.session.items}
    chosen = [attack for attack in ATTACKS if f"{test_each_gets_what_it_deserves.__name__}[{attack.name}]" in asked]
    return grade_class(tmp_path_factory.mktemp("attacks"), chosen or ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_each_gets_what_it_deserves(graded, attack):
    points = graded.points(attack.name)
    assert attack.score <= points <= LATE.get(attack.name, attack.score), graded.said.get(attack.name)
    assert points > attack.score or any(words in graded.said[attack.name] for words in attack.says.split(" || ")), (
        graded.said[attack.name]
    )
    assert [one for key in attack.survives for one in graded.damage[key] if one.startswith(f"{attack.name}: ")] == []


@pytest.mark.parametrize("what", KEYS)
def test_after_all_of_them_nothing_is_harmed(graded, what):
    assert any(what in attack.survives for attack in ATTACKS)
    assert graded.damage[what] == []
