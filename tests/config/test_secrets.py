"""
What is confidential in a whole evening with errors is found in nothing that it leaves behind: log
lines, pages of faults, messages, Redis, the rows of jobs, names of files.
"""

from __future__ import annotations

import io
import json
import logging.config
from dataclasses import fields
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest
from celery import signals
from django.conf import settings as configured
from django.db import connection
from django.utils import timezone
from redis import Redis

from casino.engine.logs import logs
from casino.engine.processes.queues import waking
from casino.house.attendants import assurance, pins, signins
from casino.house.attendants.models import Role
from casino.office.onboarding import links
from casino.proof.backup import backups
from casino.proof.disputes.regrade.models import Regrade
from casino.reports.registers.models import Preparation
from casino.reports.what_if.models import WhatIf
from casino.settings.staff import invitations, tablets
from tests.redis_contents import everything_in
from tests.support import builders
from tests.support.confidential import Confidential, Evening, evening_of
from tests.support.exported import exported

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db


class Kept(io.StringIO):
    """The lines of a log, of everything that a process can say."""


@pytest.fixture
def log() -> Iterator[Kept]:
    written = Kept()
    config = logs.configuration(production=True, level="DEBUG")
    config["handlers"]["stderr"] |= {"class": "logging.StreamHandler", "stream": written}
    logging.config.dictConfig(config)
    yield written
    logs.configuration(production=configured.PRODUCTION, level=configured.LOG_LEVEL)
    logging.config.dictConfig(configured.LOGGING)


@pytest.fixture
def sent() -> Iterator[list[str]]:
    """Every message, with its headers and arguments, as it goes to the broker."""
    messages: list[str] = []

    def published(headers: Any, body: Any, properties: Any, **_more: Any) -> None:
        messages.append(f"{headers} {body} {properties}")

    signals.before_task_publish.connect(published)
    yield messages
    signals.before_task_publish.disconnect(published)


@pytest.fixture
def evening(settings: Any) -> Evening:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.DEBUG = False
    house, texts = builders.house(publishes_rules=False), Confidential()
    who = builders.person(texts.username, password=texts.password, first_name=texts.person)
    builders.employed(house.establishment, Role.MANAGER, who)
    pins.set_pin(person=who, pin=texts.pin, place=signins.Where(), now=timezone.now())
    texts.founding = links.address("").partition("key=")[2]
    _, texts.invitation = invitations.invite(
        house=house.establishment, name=texts.person, role=Role.AUDITOR,
        by=assurance.at_console(house.manager), now=timezone.now(),
    )  # fmt: skip
    _, texts.tablet = tablets.enrol(
        house=house.establishment, name="Tablet 1", by=assurance.at_console(house.manager)
    )
    texts.token = builders.token(who)
    texts.wall = "qzwall0123456789"
    texts.made_up = [
        texts.token[:-1] + "q",
        "qzsession0123456789",
        "qz" + texts.invitation,
    ]
    return Evening(house, who, texts)


@pytest.mark.long  # the short one is in test_logs.py
@pytest.mark.usefixtures("_own_lists")
def test_an_evening_with_errors_leaves_no_secret_behind(  # noqa: PLR0913, PLR0917 - where it looks
    evening: Evening,
    log: Kept,
    sent: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    evening_of(evening, monkeypatch, django_capture_on_commit_callbacks)
    confidential = evening.confidential

    lines = log.getvalue()
    assert confidential.found_in(lines) == set(), leaked(confidential, lines)
    events = [json.loads(line)["event"] for line in lines.splitlines()]
    assert {"request", "request failed", "task", "task failed"} <= set(events)
    assert events.count("request") == len(evening.answers) + len(("opened", "inside"))

    faults = [each for each in evening.answers if each.status_code >= 500]
    assert len(faults) == 4
    for answer in faults:
        assert confidential.found_in(answer.content.decode()) == set()
    assert given_back(evening) == {}

    assert sent, "nobody was woken"
    assert confidential.found_in("\n".join(sent)) == set()
    assert confidential.found_in(in_the_broker()) == set()
    assert confidential.found_in(jobs()) == set()
    assert confidential.found_in("\n".join(names_of_files(evening, tmp_path))) == set()


def test_what_is_confidential_would_be_found(evening: Evening) -> None:
    for each in ("authenticator", "recovery", "session", "known", "csrf"):
        setattr(evening.confidential, each, f"qz{each}")
    names = {each.name for each in fields(Confidential)}

    assert evening.confidential.found_in(json.dumps(evening.confidential.all)) == names
    assert evening.confidential.found_in(f"?q={quote_plus(evening.confidential.note)}") == {"note"}
    assert evening.confidential.found_in("nothing of it") == set()


def given_back(at: Evening) -> dict[str, set[str]]:
    """
    What pages that refuse show of keys and passwords. A name that was typed may stand in its field
    again; and a form knows the address it came from, which the browser shows anyway.
    """
    words = {"person", "username", "player", "searched", "note", "dispute", "reason"}
    found = {}
    for answer in at.answers:
        request = answer.wsgi_request
        own = at.confidential.found_in(request.get_full_path())
        leaked = at.confidential.found_in(answer.content.decode()) - words - own
        if answer.status_code >= 400 and leaked:
            found[request.path] = leaked
    return found


def names_of_files(at: Evening, folder: Path) -> list[str]:
    """Of an export and all in it, of backups, and of what is given to browsers."""
    exported(at.house, folder / "out")
    given = [answer.headers.get("Content-Disposition", "") for answer in at.answers]
    paths = [str(path) for path in folder.rglob("*")]
    assert len(paths) > 10
    return [*given, *paths, backups.default_name(connection, timezone.now())]


@pytest.fixture
def _own_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits in this process waits here alone."""
    if configured.CELERY_BROKER_URL.startswith("memory"):
        lists = waking.InProcess()
        monkeypatch.setattr(waking, "waiting", lambda: lists)


def in_the_broker() -> str:
    """Whatever it keeps: queues, lists of those who wait, and what kombu notes beside them."""
    if configured.CELERY_BROKER_URL.startswith("memory"):
        return repr(vars(waking.waiting()))
    with Redis.from_url(configured.CELERY_BROKER_URL) as client:
        return everything_in(client)


def jobs() -> str:
    """Every column of what waits for a worker, or is done."""
    rows = [*Preparation.objects.all(), *Regrade.objects.all(), *WhatIf.objects.all()]
    assert rows
    return "\n".join(str(vars(row)) for row in rows)


def leaked(confidential: Confidential, lines: str) -> list[str]:
    return [line for line in lines.splitlines() if confidential.found_in(line)]
