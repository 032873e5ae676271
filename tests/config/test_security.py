"""
What every answer says to browsers: load nothing foreign, keep nothing.

What each address says about keeping is in test_access_matrix.py, for each role.
"""

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from casino.config.security_headers import (
    HEADER,
    KEPT_BY_NOBODY,
    ContentSecurityPolicyMiddleware,
    KeptByNobodyMiddleware,
    policy,
)
from tests.support import builders


def test_a_policy_is_written_as_browsers_read_it() -> None:
    written = policy({"default-src": ["'self'"], "img-src": ["'self'", "data:"]})

    assert written == "default-src 'self'; img-src 'self' data:"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/", "/sign-in/", "/healthz/web", "/floor/", "/api/v1/", "/nowhere"]
)
def test_nothing_is_evaluated_and_nothing_foreign_loaded(client: Client, path: str) -> None:
    sent = client.get(path).headers[HEADER]

    assert "default-src 'self'" in sent
    assert "unsafe" not in sent


@pytest.mark.django_db
def test_the_admin_has_the_policy_of_every_page(client: Client) -> None:
    assert client.get("/admin/login/").headers[HEADER] == policy(settings.SECURE_CSP)


def test_a_view_may_set_a_stricter_policy_of_its_own() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={HEADER: "default-src 'none'"})

    response = ContentSecurityPolicyMiddleware(view)(RequestFactory().get("/"))

    assert response.headers[HEADER] == "default-src 'none'"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 302), ("/people", 301), ("/nowhere/", 404), ("/api/v1/nowhere/", 404)],
)
def test_nothing_is_kept_wherever_it_leads(client: Client, path: str, status: int) -> None:
    answer = client.get(path)

    assert (answer.status_code, answer.headers["Cache-Control"]) == (status, KEPT_BY_NOBODY)


@pytest.mark.django_db
def test_nor_is_the_page_of_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "casino.settings.staff.sign_in.pages.SignIn.dispatch", lambda *_, **__: 1 / 0
    )

    answer = Client(raise_request_exception=False).get("/sign-in/")

    assert (answer.status_code, answer.headers["Cache-Control"]) == (500, KEPT_BY_NOBODY)


@pytest.mark.django_db
def test_nor_are_the_admins_pages() -> None:
    house = builders.house()
    admin = builders.signed_in(house.manager)

    for path in ("/admin/", "/admin/establishments/table/", "/admin/attendants/employment/"):
        answer = admin.get(path)
        assert answer.status_code == 200, path
        assert {"no-store", "private"} <= set(answer.headers["Cache-Control"].split(", ")), path


def test_a_view_may_say_that_its_answer_is_kept() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "public, max-age=60"})

    response = KeptByNobodyMiddleware(view)(RequestFactory().get("/"))

    assert response.headers["Cache-Control"] == "public, max-age=60"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/static/", "/static/css/", "/.git/config", "/.env", "/static/.DS_Store",
        "/static/../casino/config/settings.py", "/static/%2e%2e/manage.py",
        "/data/secret-key", "/media/",
    ],
)  # fmt: skip
def test_no_folder_is_listed_and_no_hidden_file_given(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
