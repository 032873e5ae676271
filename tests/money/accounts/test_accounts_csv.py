"""The statement of an account as CSV, in a house whose coin has decimals."""

from __future__ import annotations

import csv

import pytest
from django.urls import reverse

from casino.house.establishments.models import Establishment
from tests.money.accounts.test_accounts_pages import browser
from tests.support import builders
from tests.support.cashier import brought

pytestmark = pytest.mark.django_db


def test_an_account_of_cents_as_csv() -> None:
    house = builders.house()
    Establishment.objects.filter(pk=house.id).update(coin_digits=2, currency_symbol="€")
    brought(house, 100)
    brought(house, 30, "to_bank")

    answer = browser(house.auditor).get(reverse("account", args=["cage", "main"]) + "?format=csv")

    file = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    first, last = csv.DictReader(file.splitlines())
    assert (first["debit"], first["debit (€)"]) == ("100", "1.00")
    assert (last["credit"], last["credit (€)"]) == ("30", "0.30")
    assert (last["balance"], last["balance (€)"]) == ("70", "0.70")
