"""What verifications find is said on pages in the reader's language, and names no table."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.kit.web.jobs.models import Occasion
from casino.play.settlement import payout_holds
from casino.proof.signing import findings
from casino.proof.signing.models import SigningTrouble, Verification, VerificationFinding
from ledger.checking.findings import Finding
from tests.kit.web.test_words_shown import english_in, names_in, read
from tests.processes import ROOT
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCES: Final = [
    *sorted((ROOT / "ledger/checking").glob("*.py")),
    *sorted((ROOT / "casino/proof").glob("[!d]*/*.py")),  # not disputes
    ROOT / "casino/engine/databases/guards.py",
]


def kinds(source: Path) -> Iterator[str]:
    """The words of checks in a module: `check=` of a finding, and the first text of a note."""
    constants = {}
    for node in ast.walk(ast.parse(source.read_text())):
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text))):
                constants[name] = text
            case ast.Call(func=ast.Name(id="_note") | ast.Attribute(attr="_note"), args=args):
                texts = [each.value for each in args if isinstance(each, ast.Constant)]
                yield from [each for each in texts[:1] if isinstance(each, str) and " " not in each]
            case ast.keyword(arg="check", value=ast.Constant(value=str(text))):
                yield text
            case ast.keyword(arg="check", value=ast.Name(id=name)) if name in constants:
                yield constants[name]


def found(check: str) -> dict[str, Any]:
    return Finding(
        check=check, says="The position of row 3 of ledger_event is not what the event says.",
        first=2, last=4, row={"table": "ledger_event", "follower": "house"}, column="leaf_hash",
        expected="ab", found="cd",
    ).as_dict()  # fmt: skip


def test_every_kind_of_finding_has_a_sentence() -> None:
    known = {kind for source in SOURCES for kind in kinds(source)}

    assert len(known) > 15
    assert known <= findings.SAYS.keys()
    assert set(SigningTrouble.Kind.values) <= findings.OBSTACLES.keys()


@pytest.mark.django_db
def test_an_italian_page_has_no_name_of_a_table_and_no_english() -> None:
    house, now = builders.house(), timezone.now()
    house.auditor.language = "it"
    house.auditor.save()
    run = Verification.objects.create(
        establishment=house.establishment, occasion=Occasion.SIGN, asked_at=now, worked_at=now,
        finished_at=now, state=Verification.State.BROKEN, start=0, stop=9, reached=9,
        found=len(findings.SAYS), reason="",
    )  # fmt: skip
    rows = [
        VerificationFinding(establishment=house.establishment, job=run.id, seq=seq, details=details)
        for seq, details in enumerate(map(found, findings.SAYS))
    ]
    VerificationFinding.objects.bulk_create(rows)
    payout_holds.stop_payouts(house.establishment, why="verification", about=str(run.id), now=now)
    client = Client()
    client.force_login(house.auditor)

    for address in (reverse("verification", args=[run.id]), reverse("proof"), reverse("payouts")):
        page = client.get(address).content.decode()
        assert 'lang="it"' in page
        text = read(page[page.index("<main") :]).replace("docs/how-to/verify.md", "")
        assert names_in(text) == set(), address
        assert english_in(text) == set(), address
    in_file = client.get(f"{reverse('verification', args=[run.id])}?format=csv").content.decode()
    assert str(rows[0].details["says"]) not in in_file
