"""``manage.py chain``: founds a chain, says who works for it and which houses belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from casino.chain import operations, proof, summaries
from casino.chain.models import Chain, ChainHouse, ChainMember, ChainRole
from casino.house.attendants.models import Attendant
from casino.house.establishments.command_line import houses
from casino.proof.signing.keys import NoKey
from games.refusals import Refused
from ledger import checkpoints
from ledger.conflicts import count_of
from ledger.journal import Conflict

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Iterator

    from casino.house.establishments.models import Establishment

NOT_SOUND = 1


class Command(BaseCommand):
    help = (
        "Found a chain of houses, appoint its people, let houses join and leave it, and check its"
        " ledger. Its managers do the rest on its pages, two of them for each act."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        acts = parser.add_subparsers(dest="do", required=True)
        found = acts.add_parser("found", help="found a chain")
        found.add_argument("name")
        found.add_argument("--time-zone", default="UTC", help="in which its pages tell times")
        appoint = acts.add_parser("appoint", help="give a person a role in a chain")
        dismiss = acts.add_parser("dismiss", help="end a person's role in a chain, at once")
        for each in (appoint, dismiss):
            each.add_argument("chain")
            each.add_argument("username")
        appoint.add_argument("role", choices=ChainRole.values)
        join = acts.add_parser("join", help="let houses belong to a chain")
        leave = acts.add_parser("leave", help="let houses leave a chain")
        for each in (join, leave):
            each.add_argument("chain")
            each.add_argument("houses", nargs="+", metavar="NAME|ID")
            each.add_argument("--reason", default="", help="stands in each house's ledger")
        acts.add_parser("show", help="say who works for which chain, and which houses belong to it")
        key = acts.add_parser("key", help="make the key that signs a chain's ledger, and say it")
        note = acts.add_parser("checkpoint", help="print a chain's newest signed checkpoint")
        sums = acts.add_parser("summaries", help="make the summaries of a chain's houses anew")
        verify = acts.add_parser("verify", help="check a chain's ledger, and its rows against it")
        for each in (key, note, sums, verify):
            each.add_argument("chain")

    def handle(self, *, do: str, **options: Any) -> None:
        try:
            for line in getattr(self, do)(**options):
                self.stdout.write(line)
        except ValidationError as invalid:
            raise CommandError(" ".join(invalid.messages)) from None
        except (Refused, Conflict, NoKey) as refused:
            raise CommandError(str(refused)) from None

    def found(self, name: str, time_zone: str, **_: Any) -> Iterator[str]:
        chain = operations.create_chain(name=name, time_zone=time_zone, now=timezone.now())
        yield f"{chain}  {chain.pk}"

    def appoint(self, chain: str, username: str, role: str, **_: Any) -> Iterator[str]:
        member = operations.appoint(chain_by_name(chain), who(username), role, now=timezone.now())
        yield str(member)

    def dismiss(self, chain: str, username: str, **_: Any) -> Iterator[str]:
        operations.dismiss(chain_by_name(chain), who(username), now=timezone.now())
        yield f"{username} has no role in {chain} any more."

    def join(self, chain: str, houses: list[str], reason: str, **_: Any) -> Iterator[str]:
        for house in houses_by_name(houses):
            operations.join(chain_by_name(chain), house, reason=reason, now=timezone.now())
            summaries.refresh(house.pk)
            yield f"{house} belongs to {chain}."

    def leave(self, chain: str, houses: list[str], reason: str, **_: Any) -> Iterator[str]:
        for house in houses_by_name(houses):
            operations.leave(chain_by_name(chain), house, reason=reason, now=timezone.now())
            yield f"{house} has left {chain}."

    def show(self, **_: Any) -> Iterator[str]:
        for chain in Chain.objects.all():
            yield f"{chain}  {chain.pk}"
            members = ChainMember.objects.filter(chain=chain, until__isnull=True)
            for member in members.select_related("attendant").order_by("attendant__username"):
                yield f"  {member.attendant.username}  {member.role}"
            mine = ChainHouse.objects.filter(chain=chain).select_related("establishment")
            for each in mine.order_by("establishment__name"):
                yield f"  {each.establishment}  {each.establishment_id}"

    def key(self, chain: str, **_: Any) -> Iterator[str]:
        yield proof.make_key(chain_by_name(chain), timezone.now())

    def checkpoint(self, chain: str, **_: Any) -> Iterator[str]:
        signed = checkpoints.latest(chain_by_name(chain).pk)
        if signed is None:
            raise CommandError("Nothing is signed yet: a worker does it, with the chain's key.")
        yield signed.note.rstrip("\n")

    def summaries(self, chain: str, **_: Any) -> Iterator[str]:
        mine = ChainHouse.objects.filter(chain=chain_by_name(chain))
        for house in list(mine.values_list("establishment_id", flat=True)):
            summaries.refresh(house)
        yield f"{count_of(mine.count(), 'summary', 'summaries')} made."

    def verify(self, chain: str, **_: Any) -> Iterator[str]:
        found = proof.verify(chain_by_name(chain))
        yield from found.findings
        yield f"{chain}: {count_of(found.events, 'event')}, {found.signed} of them signed."
        if found.findings:
            raise CommandError("Not as it was recorded.", returncode=NOT_SOUND)


def chain_by_name(name: str) -> Chain:
    """:raises CommandError: if there is no chain of that name."""
    chain = Chain.objects.filter(name=name).first()
    if chain is None:
        raise CommandError(f"There is no chain called {name}.")
    return chain


def who(username: str) -> Attendant:
    """:raises CommandError: if nobody signs in under that name."""
    person = Attendant.objects.filter(username=username, is_superuser=False).first()
    if person is None:
        raise CommandError(f"{username}: nobody signs in under that name.")
    return person


def houses_by_name(names: list[str]) -> list[Establishment]:
    """The houses, all of them found before anything is done to one."""
    return houses(names)
