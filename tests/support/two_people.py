"""
Two people at the office: one asks that payouts are resumed, another approves it (E2, C1).

In a process of its own, of whatever house the environment names:
``python -m tests.support.two_people HOUSE``. Waits until the request is on the approver's page, and
prints one line of JSON: what the pages answered.
"""

import json
import sys
import time
import uuid
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402  once Django is up
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402

from casino.house.attendants.models import Attendant, Role  # noqa: E402
from casino.kit.approvals.models import RequestRow  # noqa: E402
from tests.support.player import known  # noqa: E402

REASON = "The losses are known; nobody was paid twice."
PATIENCE = 180.0  # seconds


def office(person: Attendant) -> Client:
    client = Client(HTTP_HOST=settings.ALLOWED_HOSTS[0], HTTP_X_FORWARDED_PROTO="https")
    client.force_login(person)
    return client


def asks(person: Attendant) -> Any:
    """Ask for it on the page Payouts; the page that answers."""
    body = {"command_id": str(uuid.uuid4()), "reason": REASON}
    return office(person).post(reverse("payouts-resume"), body, follow=True)


def agrees(person: Attendant, request: uuid.UUID) -> Any:
    body = {"command_id": str(uuid.uuid4()), "do": "approve", "reason": ""}
    return office(person).post(reverse("approval", args=[request]), body, follow=True)


def waiting(house: uuid.UUID) -> uuid.UUID | None:
    """The request that waits for a second person."""
    rows = RequestRow.objects.filter(establishment=house, state="waiting", kind="resume_payouts")
    found: uuid.UUID | None = rows.values_list("id", flat=True).first()
    return found


def main(given: str) -> None:
    house = known(given)
    asked = asks(house.people[Role.SUPERVISOR])
    end = time.monotonic() + PATIENCE
    while (request := waiting(house.id)) is None and time.monotonic() < end:
        time.sleep(0.1)
    assert request is not None, asked.content.decode()
    agreed = agrees(house.people[Role.MANAGER], request)
    text = {"asked": asked.content.decode(), "agreed": agreed.content.decode()}
    sys.stdout.write(json.dumps(text))


if __name__ == "__main__":
    main(sys.argv[1])
