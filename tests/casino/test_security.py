"""The content security policy: strict everywhere, relaxed in the admin alone."""

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from casino.security import HEADER, ContentSecurityPolicyMiddleware, policy


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
def test_the_admin_may_evaluate_its_expressions(client: Client) -> None:
    sent = client.get("/admin/login/").headers[HEADER]

    assert sent == policy(settings.SECURE_CSP_ADMIN)
    assert "'unsafe-eval'" in sent


def test_a_view_may_set_a_stricter_policy_of_its_own() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={HEADER: "default-src 'none'"})

    response = ContentSecurityPolicyMiddleware(view)(RequestFactory().get("/"))

    assert response.headers[HEADER] == "default-src 'none'"
