"""``classroom/roster.csv``: what is used, and a sentence for what cannot be."""

from __future__ import annotations

import pytest

from autograder.classroom.roster import Person, for_spreadsheet, is_formula, read_roster
from autograder.paths import Course


@pytest.fixture
def roster(tmp_path):
    def read(content):
        (tmp_path / "classroom").mkdir(exist_ok=True)
        raw = content if isinstance(content, bytes) else content.encode()
        (tmp_path / "classroom" / "roster.csv").write_bytes(raw)
        return read_roster(Course(tmp_path))

    return read


def test_without_the_file_nothing_is_known_and_nothing_is_wrong(tmp_path):
    assert read_roster(Course(tmp_path)).wrong == [] and not read_roster(Course(tmp_path)).there


@pytest.mark.parametrize(
    "text",
    [
        "id,name,email\nada,Ada Lovelace,ada@example.org\nbob,,\n",
        "\ufeffID;Name;Email\r\nada;Ada Lovelace;ada@example.org\r\n\r\nbob;;\r\n",
        "id\tname\temail\nada\tAda Lovelace\tada@example.org\nbob\t\t\n",
        "id,first_name,last_name,email,group\nada,Ada,Lovelace,ada@example.org,1\nbob,,,,\nbob,,,,\n",
    ],
)
def test_a_roster_of_any_spreadsheet(roster, text):
    found = roster(text)
    assert found.wrong == []
    assert list(found.people.values()) == [Person("ada", "Ada Lovelace", "ada@example.org"), Person("bob", "bob")]


def test_a_value_keeps_its_comma_where_semicolons_separate(roster):
    found = roster('id;name\nada;Lovelace, Ada\nbob;"Bob; the other"\n')
    assert [person.name for person in found.people.values()] == ["Lovelace, Ada", "Bob; the other"]


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("=1+1", "'=1+1"),
        ("\uff1d1", "'\uff1d1"),
        (' "=1', "' \"=1"),
        ("x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"),
        ('x;"=1"', 'x;\'"=1"'),
        ("a\t+1", "a\t'+1"),
        ("x\n=HYPERLINK(A1&B1)\n.ipynb", "x\n'=HYPERLINK(A1&B1)\n.ipynb"),
        ("x\r\n-1", "x\r\n'-1"),
        ("Ada; Bob", "Ada; Bob"),
        ("a-b@c", "a-b@c"),
        ("'=1", "'=1"),
    ],
)
def test_no_spreadsheet_runs_a_cell(text, given):
    assert for_spreadsheet(text) == given and (text != given) == is_formula(text)


def test_a_broken_line_is_a_sentence_and_the_others_count(roster):
    lines = [
        "id,name,email",
        "ada,Ada",
        ",Nobody,",
        "../eve,Eve,",
        "fay,Fay\u202e,",
        "gus,Gus,gus",
        "cleo,Cleo,c@x.org",
    ]
    found = roster("\n".join(lines))
    assert list(found.people) == ["cleo"]
    for number, words in enumerate(("it has 2 values", "no id", "name of a folder", "cannot be seen", "no e-mail"), 2):
        assert f"line {number} is left out: " in found.wrong[number - 2] and words in found.wrong[number - 2]


@pytest.mark.parametrize(
    "broken",
    ['7,"Eve" E,eve@x.org', '7,"Eve,eve@x.org', '7,Eve,"eve@x.org', '7,"Eve,eve@x.org\n8,"Fay" F,fay@x.org'],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_broken_quote_takes_its_own_line_alone(roster, broken, end):
    lines = ["id,name,email", "ada,Ada,ada@x.org", *broken.split("\n"), 'bob,"Bob, B",', "cleo,Cleo,"]
    found = roster(end.join(lines))
    assert list(found.people) == ["ada", "bob", "cleo"] and found.people["bob"].name == "Bob, B"
    assert len(found.wrong) == broken.count("\n") + 1
    assert all("is left out: a quote in it is broken" in sentence for sentence in found.wrong)
    assert found.wrong[0].startswith("classroom/roster.csv, line 3 ") and not found.unread


def test_a_value_of_two_lines_is_one_value(roster):
    found = roster('id,name,note\nada,Ada,"one\ntwo"\nbob,,\n../x,,\n')
    assert list(found.people) == ["ada", "bob"] and "line 5 is left out" in found.wrong[0]


def test_an_id_that_two_claim_belongs_to_neither(roster):
    found = roster("id,name\nada,Ada Lovelace\nbob,Bob\nAda,Ada King\n")
    assert list(found.people) == ["bob"]
    (sentence,) = found.wrong
    assert "lines 2 and 4: Ada Lovelace and Ada King claim one id" in sentence
    assert found.strangers(["ada", "bob", "Ada"]) == []


def test_who_handed_in_and_is_not_in_the_roster_is_named(roster):
    found = roster("id,name\nbob,Bob\n")
    assert found.strangers(["bob"]) == []
    (sentence,) = found.strangers(["bob", *(f"s{number}" for number in range(12))])
    assert "s0, s1" in sentence and sentence.endswith(" and 2 more.")
    assert roster("id\n").strangers(["ada"]) == []


@pytest.mark.parametrize("raw", [b"", b"\xff\xfe", b"name,email\nA,b\n", b'id\n"ada', b"id\n\0\n"])
def test_what_is_no_roster_is_said_in_one_sentence(roster, raw):
    found = roster(raw)
    assert len(found.wrong) == 1 and "roster.csv" in found.wrong[0] and not found.people
    assert found.unread in ("", *found.wrong)
