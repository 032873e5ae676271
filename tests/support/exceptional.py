"""The lines of a house's exception report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.play.core.subscriptions.tasks import advance
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from tests.support import builders
from tests.support.playing import settled

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from casino.reports.registers.exceptions.queries import Line
    from tests.support.builders import House

PAGE, ALL = "/exceptions/", 1000


def listed(at: House, **criteria: Any) -> list[Line]:
    settled(at)
    advance(HOUSE, at.id)
    lines, older = exceptions.page(at.establishment, Criteria(**criteria), most=ALL)
    assert older is None
    return lines


def told(line: Line) -> tuple[str, str, str, str | None, str, str]:
    second = line.decided_by.id if line.decided_by else None
    return line.kind, line.what, line.asked_by.id, second, line.reason, line.decision


def key(person: Attendant) -> str:
    return str(person.pk)


def looked(at: House, query: str = "", role: Role = Role.MANAGER) -> str:
    answer = builders.signed_in(at.people[role]).get(f"{PAGE}{query}")
    assert answer.status_code == 200, answer.content
    return str(answer.content.decode())
