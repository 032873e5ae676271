"""
What a database holds and refuses, from a process of its own: ``python -m tests.support.witness``.

One line of JSON. ``root`` is that of RFC 6962 over the bodies, computed here from the definition;
``forbidden`` tells what became of each statement that nobody may carry out.
"""

import json
import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402  once Django is up
from django.db import DatabaseError, connections, transaction  # noqa: E402

from casino.engine.databases.guards import WRITTEN_ONCE  # noqa: E402
from casino.house.establishments.models import Establishment  # noqa: E402
from casino.play.core.subscriptions.tasks import SUBSCRIBERS  # noqa: E402
from ledger import install, money, subscriptions  # noqa: E402
from ledger.models import Account, Event, ParkedEvent, Transfer  # noqa: E402

FORBIDDEN = (
    "UPDATE ledger_event SET stream = 'other'",
    "DELETE FROM ledger_transfer",
    "UPDATE ledger_commandreceipt SET refusal_code = 'no'",
    "UPDATE ledger_account SET debits = debits - 1",
)


def root(bodies: Sequence[bytes]) -> bytes:
    """RFC 6962, 2.1."""
    if len(bodies) < 2:
        return sha256(b"\0" + bodies[0] if bodies else b"").digest()
    left = 1 << (len(bodies) - 1).bit_length() - 1
    return sha256(b"\1" + root(bodies[:left]) + root(bodies[left:])).digest()


def house(establishment: UUID, head: int | None = None) -> dict[str, Any]:
    """A house's ledger, as of a position: what was written later counts for nothing."""
    events = Event.objects.filter(establishment=establishment).order_by("position")
    events = events if head is None else events.filter(position__lte=head)
    bodies = [bytes(body) for body in events.values_list("body", flat=True)]
    sums: dict[str, int] = {}
    moved = Transfer.objects.filter(establishment=establishment, position__lt=len(bodies))
    for each in moved:
        debit, credit = (
            f"{each.debit_kind} {each.debit_name}",
            f"{each.credit_kind} {each.credit_name}",
        )
        sums[debit] = sums.get(debit, 0) - each.amount
        sums[credit] = sums.get(credit, 0) + each.amount
    return {
        "head": len(bodies) - 1,
        "root": root(bodies).hex(),
        "balances": {account: coins for account, coins in sorted(sums.items()) if coins},
    }


def kept(establishment: UUID) -> dict[str, int]:
    """What the accounts themselves say, credits over debits."""
    held = Account.objects.filter(establishment=establishment)
    sums = {f"{row.kind} {row.name}": row.credits - row.debits for row in held}
    return {account: coins for account, coins in sorted(sums.items()) if coins}


def forbidden(alias: str) -> dict[str, str]:
    results = {}
    for statement in FORBIDDEN:
        try:
            with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
                cursor.execute(statement)
                results[statement] = f"{cursor.rowcount} rows"
        except DatabaseError as error:
            results[statement] = str(error).splitlines()[0]
    return results


def main() -> None:
    alias = "owner" if "owner" in settings.DATABASES else "default"
    houses = list(Establishment.objects.values_list("pk", flat=True))
    fields = {
        "houses": {str(each): {**house(each), "kept": kept(each)} for each in houses},
        "differing": [str(each) for each in houses if money.differences(establishment=each)],
        "lagging": len(list(subscriptions.lagging(SUBSCRIBERS))),
        "parked": ParkedEvent.objects.count(),
        "missing": [
            *install.missing(connections[alias]),
            *(name for each in WRITTEN_ONCE for name in each.missing(connections[alias])),
        ],
        "as_owner": forbidden(alias),
        "as_runner": forbidden("default"),
    }
    sys.stdout.write(json.dumps(fields))


if __name__ == "__main__":
    main()
