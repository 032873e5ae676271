"""What is counted, what is read of database and broker, and the address at which both are given."""

from __future__ import annotations

import re
import threading
import uuid
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from wsgiref.util import setup_testing_defaults

import pytest
import yaml
from django.db import OperationalError, connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from casino.engine.logs.health.models import BeatLease
from casino.engine.logs.health.tasks import sign_of_life
from casino.engine.processes.signals import unreached
from casino.office.monitoring import exporter, installation, instruments
from casino.office.monitoring.instruments import MetricsMiddleware
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from ledger import subscriptions
from ledger.models import Event, Subscription
from tests.processes import ROOT
from tests.scale.kubernetes.manifests import KUBERNETES
from tests.support.builders import GAMES, opened, throw
from tests.support.builders import house as a_house

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prometheus_client import Metric

PAGE = (ROOT / "docs" / "reference" / "metrics.md").read_text()
LISTED = set(re.findall(r"^\| `(home_throw_\w+)`(?:, `(home_throw_\w+)`)?", PAGE, re.MULTILINE))
DOCUMENTED = {name for names in LISTED for name in names if name}
OPENMETRICS = "application/openmetrics-text; version=1.0.0"


@pytest.fixture(autouse=True)
def counting() -> None:
    instruments.connect()


def counted(name: str, **labels: str) -> float:
    return instruments.COUNTED.get_sample_value(name, labels) or 0.0


# --- Requests -----------------------------------------------------------------------------------

HOUSE = uuid.UUID(int=7)

# fmt: off
VIEWS = [
    # path                     view
    ("/healthz/web",           "healthz-web"),
    ("/sign-in/",              "sign-in"),
    (f"/floor/{HOUSE}/{HOUSE}/nothing", "nowhere"),
    ("/static/base.css",       "static"),
    ("/wp-admin.php",          "nowhere"),
]
# fmt: on


@pytest.mark.parametrize(("path", "view"), VIEWS)
def test_a_request_counts_under_the_name_of_its_view(path: str, view: str) -> None:
    """Whoever answers it: a middleware above the view sets no name."""
    of = {"view": view, "method": "GET", "status": "304"}
    before = counted("home_throw_http_requests_total", **of)

    MetricsMiddleware(lambda _request: HttpResponse(status=304))(RequestFactory().get(path))

    assert counted("home_throw_http_requests_total", **of) == before + 1
    assert counted("home_throw_http_request_duration_seconds_count", view=view) >= 1


def test_a_method_that_somebody_invents_makes_no_new_row() -> None:
    request = RequestFactory().generic("BREW", "/sign-in/")

    MetricsMiddleware(lambda _request: HttpResponse())(request)

    assert counted("home_throw_http_requests_total", view="sign-in", method="other", status="200")


# --- Commands, tasks, connections ---------------------------------------------------------------


@pytest.mark.django_db
def test_commands_count_as_accepted_refused_and_repeated() -> None:
    at = a_house()
    of_throws = {
        outcome: counted("home_throw_commands_total", kind="throw", outcome=outcome)
        for outcome in ("accepted", "refused", "repeated")
    }
    game = opened(at)
    good, out_of_turn = throw("Ada", 1, 2, 3), throw("Ada", 1, 2, 3)

    for body in (good, good, out_of_turn):
        at.client().post(f"{GAMES}{game}/commands/", body)

    for outcome, before in of_throws.items():
        now = counted("home_throw_commands_total", kind="throw", outcome=outcome)
        assert now == before + 1, outcome


@pytest.mark.django_db
def test_a_task_counts_by_its_name_and_how_it_ended() -> None:
    of = {"task": sign_of_life.name, "outcome": "success"}
    before = counted("home_throw_tasks_total", **of)

    sign_of_life.apply(kwargs={"queue": "play"})

    assert counted("home_throw_tasks_total", **of) == before + 1
    assert counted("home_throw_task_duration_seconds_count", task=sign_of_life.name) >= 1


def test_what_could_not_be_reached_counts() -> None:
    before = counted("home_throw_connection_errors_total", service="reader")

    unreached.send(None, service="reader")

    assert counted("home_throw_connection_errors_total", service="reader") == before + 1


# --- The installation ---------------------------------------------------------------------------


def with_events(*, read: int) -> uuid.UUID:
    """A house with a few events, of which settlement has read so many."""
    at = a_house()
    opened(at)
    Subscription.objects.update_or_create(
        establishment=at.id, name="settlement", defaults={"position": read - 1}
    )
    return at.id


@pytest.mark.django_db
def test_totals_are_those_of_the_houses_one_by_one() -> None:
    made = [with_events(read=read) for read in (0, 1)]
    lags = subscriptions.lagging(SUBSCRIBERS)

    for total in subscriptions.totals(SUBSCRIBERS):
        own = [each for each in lags if each.subscription == total.subscription]
        assert total.houses == Event.objects.filter(position=0).count() >= len(made)
        assert total.recorded == Event.objects.count()
        assert total.lagging == len(own)
        assert total.behind == sum(each.lag for each in own)
        assert total.worst == max((each.lag for each in own), default=0)
    [settlement] = [
        each for each in subscriptions.totals(SUBSCRIBERS) if each.subscription == "settlement"
    ]
    unread = Event.objects.filter(establishment=made[0], position=0).get()
    assert settlement.oldest is not None
    assert abs(settlement.oldest - unread.recorded_at) < timedelta(minutes=1)


parsed: Callable[[str], Iterable[Metric]] = text_string_to_metric_families


def asked(path: str, *, accept: str = OPENMETRICS) -> tuple[str, str]:
    """Status and body."""
    environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_ACCEPT": accept}
    setup_testing_defaults(environ)
    said: list[str] = []
    body = b"".join(exporter.application()(environ, lambda status, _headers: said.append(status)))
    return said[0], body.decode()


@pytest.mark.django_db
def test_there_are_as_many_statements_for_many_houses_as_for_one() -> None:
    numbers = []
    for _ in range(2):
        with_events(read=0)
        with CaptureQueriesContext(connection) as queries:
            list(installation.Installation().collect())
        numbers.append(len(queries))

    assert numbers[0] == numbers[1] <= 20


@pytest.mark.django_db
def test_what_does_not_answer_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_now: datetime) -> Any:
        raise OperationalError("gone")

    monkeypatch.setattr(installation, "workers", away)
    found = {each.name: each for each in installation.Installation().collect()}
    read = {
        sample.labels["of"]: sample.value for sample in found["home_throw_figures_read"].samples
    }

    assert read == {"subscriptions": 1, "queues": 1, "workers": 0, "beat": 1, "health": 1}
    assert "home_throw_queue_served_timestamp_seconds" not in found


# --- The address --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_every_metric_is_in_the_reference_and_the_other_way_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)
    with_events(read=0)
    sign_of_life.apply(kwargs={"queue": "play"})
    unreached.send(None, service="reader")
    now = datetime.now(UTC)
    BeatLease.objects.create(name="beat", holder=uuid.uuid4(), fence=3, renewed_at=now, ends_at=now)
    names = set()
    for path in exporter.PATHS:
        status, body = asked(path)
        assert status.startswith("200"), body
        for family in parsed(body):
            suffix = {"counter": "_total", "info": "_info"}.get(family.type, "")
            names.add(f"{family.name}{suffix}")
            for sample in family.samples:
                assert not any(
                    re.fullmatch(r"[0-9a-f-]{36}", each) for each in sample.labels.values()
                )

    assert names == DOCUMENTED


def test_other_paths_lead_nowhere() -> None:
    assert asked("/")[0].startswith("404")
    assert "nowhere" not in asked("/healthz")[1]


def test_alerts_ask_for_metrics_that_there_are() -> None:
    text = (KUBERNETES / "components" / "monitoring" / "alerts.yaml").read_text()
    rules = yaml.safe_load(text)["spec"]["groups"][0]["rules"]
    wanted = {
        re.sub(r"_(bucket|count|sum)$", "", name)
        for rule in rules
        for name in re.findall(r"home_throw_\w+", rule["expr"])
    }

    assert wanted <= DOCUMENTED
    assert [rule["alert"] for rule in rules if f"`{rule['alert']}`" not in PAGE] == []
    assert all(rule["annotations"]["summary"] for rule in rules)


WRONG = ["9464", ":9464", "127.0.0.1:", "127.0.0.1:metrics", "127.0.0.1:99999"]


@pytest.mark.parametrize("bind", WRONG)
def test_an_address_that_is_none_is_one_sentence(bind: str) -> None:
    with pytest.raises(SystemExit, match=r"^METRICS_BIND="):
        exporter.begin(bind, forks=False)


def test_a_thread_answers_at_the_port(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.processes import free_port, get  # noqa: PLC0415

    monkeypatch.setattr(exporter, "_listening", None)
    monkeypatch.setattr(exporter, "_serving", None)
    port = free_port()

    exporter.begin(f"127.0.0.1:{port}", forks=False)
    exporter.begin(f"127.0.0.1:{port}", forks=False)  # again: nothing
    exporter.serve()
    exporter.serve()

    assert get(port, "/metrics")[0] == 200
    assert [each.name for each in threading.enumerate()].count("metrics") == 1
