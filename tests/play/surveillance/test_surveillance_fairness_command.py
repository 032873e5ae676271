"""`manage.py fairness`: any list of throws, and nothing printed where it cannot be read (F2)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from io import StringIO
from math import factorial, log10
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from casino.play.dice.surveillance.e_values import CONCENTRATIONS, DETECTOR_MAX, discoveries
from casino.play.dice.surveillance.management.commands.fairness import (
    InvalidThrow,
    Throw,
    read_throws,
)
from tests.forms import how_often

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).parents[3]
WHITE = (3246, 3449, 2897, 2841, 3635, 3932)


def analysed(file: Path | str, *options: str) -> dict[str, Any]:
    out = StringIO()
    call_command("fairness", str(file), *options, stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "throws.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def refusal(file: Path, *options: str) -> str:
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("fairness", str(file), *options, stdout=out)
    assert (out.getvalue(), refused.value.returncode) == ("", 2)
    return str(refused.value).removeprefix(f"{file}")


def rising(start: Fraction, times: int) -> Fraction:
    """That many factors, start (start + 1) … : the gamma function's steps."""
    found: Fraction = Fraction(1)
    for step in range(times):
        found *= start + step
    return found


def evidence(counts: Sequence[int]) -> Fraction:
    """E from its definition, in fractions: the mixture's likelihood over the fair die's."""
    sides, thrown = len(counts), sum(counts)
    mixed: Fraction = Fraction(0)
    for each in CONCENTRATIONS:
        per_face = Fraction(each)
        likelihood = Fraction(1)
        for count in counts:
            likelihood *= rising(per_face, count)
        mixed += likelihood / rising(per_face * sides, thrown)
    return Fraction(mixed * sides**thrown, len(CONCENTRATIONS))


def first(faces: Sequence[int], sides: int, mark: int) -> int | None:
    counts = [0] * sides
    for number, face in enumerate(faces, 1):
        counts[face - 1] += 1
        if evidence(counts) >= mark:
            return number
    return None


def test_wolf_s_white_die(tmp_path: Path) -> None:
    faces = [face for face, count in enumerate(WHITE, 1) for _ in range(count)]
    Random(3).shuffle(faces)  # noqa: S311 - the order of a test

    found = analysed(written(tmp_path, "\n".join(map(str, faces))), "--sides", "6")

    assert (found["sides"], found["throws"], found["counts"]) == (6, 20_000, list(WHITE))
    assert round(found["chi_square"], 3) == 270.957
    assert (found["degrees"], found["test"]) == (5, "chi-square")
    assert found["p"] == pytest.approx(1.7436e-56, rel=1e-4)
    assert found["log10_e"] == pytest.approx(52.622, abs=1e-3)
    passed = found["passed"]
    assert 0 < passed["20"] <= passed["100"] <= passed["1000"] < 20_000
    assert found["smallest_tilt"] == pytest.approx(1.09, abs=0.01)  # at alpha 0.001


@given(st.integers(2, 6), st.data())
@settings(max_examples=how_often(25), deadline=None)
def test_every_figure_is_what_fractions_say(sides: int, data: st.DataObject) -> None:
    faces = data.draw(st.lists(st.integers(1, min(2, sides)), min_size=1, max_size=60))
    lines = [f"{face}\n" for face in faces]
    counts = [faces.count(face) for face in range(1, sides + 1)]

    from casino.play.dice.surveillance.management.commands.fairness import analyse  # noqa: PLC0415

    found = analyse(read_throws(lines, sides=sides), sides=sides, alpha=0.001)

    expected = Fraction(len(faces), sides)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    assert found["counts"] == counts
    assert found["chi_square"] == pytest.approx(float(statistic))
    exactly = evidence(counts)
    assert found["log10_e"] == pytest.approx(
        log10(exactly.numerator) - log10(exactly.denominator), abs=1e-9
    )
    for mark in (20, 100, 1000):
        assert found["passed"][str(mark)] == first(faces, sides, mark)


def test_by_order_of_throws(tmp_path: Path) -> None:
    """Twelve sixes on end: E is known, and when it passed; later fair throws take nothing back."""
    fair = [1, 2, 3, 4, 5, 6] * 30
    found = analysed(written(tmp_path, "\n".join(map(str, [6] * 12 + fair))), "--sides", "6")

    assert found["passed"] == {str(mark): first([6] * 12, 6, mark) for mark in (20, 100, 1000)}
    assert found["passed"]["1000"] is not None
    assert found["log10_e"] < 3
    assert found["change"]["at"] == 12


def test_an_empty_list_says_nothing(tmp_path: Path) -> None:
    found = analysed(written(tmp_path, ""), "--sides", "8")

    assert (found["sides"], found["throws"], found["counts"]) == (8, 0, [0] * 8)
    for name in ("chi_square", "degrees", "p", "log10_e", "smallest_tilt"):
        assert found[name] is None
    assert set(found["passed"].values()) == {None}


def test_one_throw_and_a_die_that_always_shows_one_face(tmp_path: Path) -> None:
    one = analysed(written(tmp_path, "4"), "--sides", "6")
    assert (one["p_better"], one["test"], one["log10_e"]) == (1.0, "exact", pytest.approx(0))
    assert one["p"] == pytest.approx(0.4159, abs=1e-4)  # of 5, with 5 degrees

    always = analysed(written(tmp_path, "2\n" * 3000), "--sides", "6")
    assert always["log10_e"] > 2000
    assert always["change"]["most"] >= DETECTOR_MAX  # it counts no further: still JSON


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("3\n1\n8\n", ["--sides", "8"]),
        ("\ufeff3\r\n1\r\n8\r\n", ["--sides", "8"]),
        ("3\r1\r8", ["--sides", "8"]),
        ("# of Monday\n\n 3 \n1\n   \n8\n\n", ["--sides", "8"]),
        ("face\n3\n1\n8", ["--sides", "8"]),
        ("3,8\n1,8\n8,8\n", []),
        ("Face;Sides\n3;8\n1;8\n8;8\n", []),
        ("at\tsides\tface\n9:01\t8\t3\n9:02\t8\t1\n\t8\t8\n", []),
        ('"face","sides","note"\n"3","8","a, b"\n1,8,\n8,8,""\n', ["--sides", "8"]),
        (b"face,note\n3,caf\xe9\n1,\n8,\n", ["--sides", "8"]),
    ],
)
def test_however_it_is_written(tmp_path: Path, text: str | bytes, options: list[str]) -> None:
    found = analysed(written(tmp_path, text), *options)

    assert (found["sides"], found["counts"]) == (8, [1, 0, 1, 0, 0, 0, 0, 1])


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1\n" * 16 + "9\n", ["--sides", "8"], ", line 17: 9 is no face of a d8."),
        ("\ufeff# said\r\n\r\n0\r\n", ["--sides", "8"], ", line 3: 0 is no face of a d8."),
        ("3\n-1\n", ["--sides", "8"], ", line 2: '-1' is no face."),
        ("3\nsix\n", ["--sides", "8"], ", line 2: 'six' is no face."),
        ("3\n2.5\n", ["--sides", "8"], ", line 2: '2.5' is no face."),
        ("3\n²\n", ["--sides", "8"], ", line 2: '\\xb2' is no face."),
        ("3\n1 2\n", ["--sides", "8"], ", line 2: '1 2' is no face."),
        ("3\n" + "9" * 99 + "\n", ["--sides", "8"], "is no face."),
        ("3\n1,2\n", ["--sides", "8"], ", line 2: columns: 2, where there should be 1."),
        ("3\n", [], ", line 1: no column says how many sides the dice have: give --sides."),
        ("face,sides\n3,8\n3,1\n", [], ", line 3: 1 is no number of sides: 2 to 1000."),
        ("face,sides\n3,8\n3,\n", [], ", line 3: nothing is no number of sides."),
        ("face,sides\n3,8\n3\n", [], ", line 3: columns: 1, where there should be 2."),
        ("face,sides\n3,8\n3,6\n", ["--sides", "8"], ", line 3: a d6, where --sides says 8."),
        ("set,sides\nA,8\n", [], "no column is called face"),
        ("face,sides\n3,8\n", ["--column", "table"], ", line 1: no column is called table."),
        ("3,8\n", ["--column", "table"], "the columns have no names"),
        ("1,2,3,4\n", [], ", line 1: 4 columns without names"),
        ('face,sides\n"3"x,8\n', [], ", line 2: "),
        (b"3\n\xff\xfe\n", ["--sides", "8"], ", line 2: "),
        (b"3\n\x00\n", ["--sides", "8"], ", line 2: "),
    ],
)
def test_what_is_no_throw_is_named(
    tmp_path: Path, text: str | bytes, options: list[str], message: str
) -> None:
    assert message in refusal(written(tmp_path, text), *options)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "No such file" in refusal(tmp_path / "nothing.txt", "--sides", "6")
    assert "s a directory" in refusal(tmp_path, "--sides", "6")


def test_streams_and_the_false_discoveries_among_them(tmp_path: Path) -> None:
    chance = Random(5)  # noqa: S311 - dice of a test
    rows = ["set,die_size,face"]
    for _ in range(400):
        rows += [f"S-1,8,{chance.randint(1, 8)}", f"S-2,6,{min(6, chance.randint(1, 9))}"]
    rows += ["S-2,8,1"]

    found = analysed(written(tmp_path, "\n".join(rows)))

    named = {each["stream"]: each for each in found["streams"]}
    assert list(named) == ["S-1", "S-2 d6", "S-2 d8"]  # as they come in the file
    assert [each["throws"] for each in named.values()] == [400, 400, 1]
    assert found["throws"] == 801
    logs = {name: each["log10_e"] for name, each in named.items()}
    assert set(found["discoveries"]) == discoveries(logs, 0.001) == {"S-2 d6"}
    assert [each["discovered"] for each in named.values()] == [False, True, False]


def test_several_columns_make_a_stream_and_sizes_apart(tmp_path: Path) -> None:
    file = written(tmp_path, "table,die,face\nOak,a,1\nOak,b,2\nElm,a,3\n")
    by = analysed(file, "--sides", "6", "--column", "table", "die")
    assert [each["stream"] for each in by["streams"]] == ["Oak / a", "Oak / b", "Elm / a"]

    unnamed = analysed(written(tmp_path, "1,6\n1,8\n2,6\n"))
    assert [(each["stream"], each["throws"]) for each in unnamed["streams"]] == [
        ("d6", 2),
        ("d8", 1),
    ]


def run(*arguments: str, fed: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "manage.py", "fairness", *arguments],
        cwd=ROOT, env={**os.environ, **more}, input=fed, capture_output=True, check=False,
    )  # fmt: skip


def test_from_a_pipe_and_without_a_database() -> None:
    nowhere = {"DATABASE_URL": "postgres://nobody:x@127.0.0.1:1/none", "SECRET_KEY": "s" * 50}
    done = run("-", "--sides", "6", fed=b"6\n5\n6\n", **nowhere)

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["counts"] == [0, 0, 0, 0, 1, 2]


@pytest.mark.rows(1)
@pytest.mark.parametrize("arguments", [["-", "--sides", "6"], ["-", "--sides", "1"], ["-"]])
def test_what_fails_prints_nothing_and_ends_with_2(arguments: list[str]) -> None:
    done = run(*arguments, fed=b"6\n7\n")

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr


def test_factorials_of_the_definition() -> None:
    assert rising(Fraction(1), 5) == factorial(5)


def test_several_dice_a_line_are_throws_in_the_order_of_their_columns(tmp_path: Path) -> None:
    file = written(tmp_path, "\ufefftime;first;set;second\r\n9:00;1;S1;6\r\n9:05;2;S2;5\r\n")

    two = analysed(file, "--sides", "6", "--face", "first", "Second")
    one = analysed(file, "--sides", "6", "--face", "second")

    assert [each["counts"] for each in two["streams"]] == [[1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 1, 0]]
    assert [sum(each["counts"]) for each in one["streams"]] == [1, 1]


@pytest.mark.parametrize(
    ("text", "names", "sentence"),
    [
        ("a,b\n1,2\n", ["a", "c"], ", line 1: no column is called c."),
        ("a,b\n1,2\n3,7\n", ["a", "b"], ", line 3: 7 is no face of a d6."),
        ("a,b\n1,2\n3\n", ["a", "b"], ", line 3: columns: 1, where there should be 2."),
        ("1,2\n", ["a"], ", line 1: the columns have no names: none is called a."),
        ("a,b\n1,2\n", [], ", line 1: 'a' is no face."),
    ],
)
def test_of_several_dice_the_line_that_is_wrong_is_named(
    tmp_path: Path, text: str, names: list[str], sentence: str
) -> None:
    options = ["--face", *names] if names else []
    assert refusal(written(tmp_path, text), "--sides", "6", *options) == sentence


def test_a_heavily_loaded_die_is_seen_within_a_few_hundred_throws(tmp_path: Path) -> None:
    """A six with a chance of 1 in 4: of twenty such dice half by so many throws, all by 1500."""
    chance = Random(21)  # noqa: S311 - dice of a test
    firsts = []
    for _ in range(20):
        faces = chance.choices(range(1, 7), weights=(3, 3, 3, 3, 3, 5), k=1500)
        file = written(tmp_path, "\n".join(map(str, faces)))
        firsts.append(analysed(file, "--sides", "6")["passed"])

    assert sorted(each["20"] for each in firsts)[10] <= 450
    assert sorted(each["1000"] for each in firsts)[10] <= 700


def test_excel_s_line_about_the_separator_is_no_throw() -> None:
    lines = ["sep=;\n", "face;sides;stream\n", "1;6;Cafe\u0301\n", "6;6;Caf\u00e9\n"]

    assert list(read_throws(lines)) == [Throw("Caf\u00e9", 6, 1), Throw("Caf\u00e9", 6, 6)]
    with pytest.raises(InvalidThrow, match="line 3"):
        list(read_throws([*lines[:2], "x;6;A\n"]))
