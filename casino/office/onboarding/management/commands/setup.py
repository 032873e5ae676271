"""``manage.py setup``: a new house, by a link to its set-up pages or from the console alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.core.management import BaseCommand, CommandError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants.models import Role
from casino.house.establishments.models import Establishment
from casino.office.onboarding.links import address
from casino.office.onboarding.operations import STEPS, usual_amounts
from casino.settings.staff import invitations
from casino.words.languages import currencies, locales

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = (
        "Print a link that founds a house in a few pages; or, with --house and --manager, found it"
        " at once and print the link by which its first manager comes in."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--house", help="its name")
        parser.add_argument("--manager", help="the name of its first manager")
        parser.add_argument(
            "--currency-code", default="", help="as EUR: name, sign and decimals follow from it"
        )
        parser.add_argument("--currency", default="coin", help="its name in full (default coin)")
        parser.add_argument("--symbol", default="c", help="as in 12 c (default c)")
        parser.add_argument("--coin-digits", type=int, default=0, help="decimals of the coin")
        parser.add_argument("--time-zone", default="UTC", help="as Europe/Rome (default UTC)")
        parser.add_argument("--cut-off", default="06:00", help="of its gaming day (default 06:00)")
        parser.add_argument(
            "--address",
            default="http://127.0.0.1:8000/",
            help="where this installation is reached (default http://127.0.0.1:8000/)",
        )

    def handle(self, **options: Any) -> None:
        if not options["house"] and not options["manager"]:
            self.stdout.write(
                f"Found a house within a week, once, at\n{address(options['address'])}"
            )
            return
        if not options["house"] or not options["manager"]:
            raise CommandError("Name both, --house and --manager; or neither, for a link.")
        try:
            link = self.found_house(options)
        except ValidationError as invalid:
            raise CommandError(" ".join(invalid.messages)) from None
        house, manager = options["house"], options["manager"]
        self.stdout.write(f"{house} is founded. {manager} comes in, once within a week, at\n{link}")

    def found_house(self, options: dict[str, Any]) -> str:
        """:returns: the link of the first manager's invitation."""
        with transaction.atomic():
            coin = _coin(options)
            house = Establishment(
                name=options["house"],
                **coin,
                **usual_amounts(coin["coin_digits"]),
                time_zone=options["time_zone"],
                day_cutoff=options["cut_off"],
                two_configure=True,
                setting_up=STEPS[1],
            )
            changes.create(house, establishment=house, by=None)
            _offer, secret = invitations.invite(
                house=house,
                name=options["manager"],
                role=Role.MANAGER,
                by=None,
                now=timezone.now(),
            )
        query = urlencode({"key": secret})
        return f"{options['address'].rstrip('/')}{reverse('invitation')}?{query}"


def _coin(options: dict[str, Any]) -> dict[str, Any]:
    """
    The columns of the coin that a command line names.

    :raises ValidationError: if the code is not one of ISO 4217.
    """
    if not options["currency_code"]:
        return {
            "currency": options["currency"],
            "currency_symbol": options["symbol"],
            "coin_digits": options["coin_digits"],
        }
    found = currencies.currency_of(options["currency_code"], language="en", locale=locales.USUAL)
    return {
        "currency_code": found.code,
        "currency": found.name,
        "currency_symbol": found.symbol,
        "coin_digits": found.digits,
    }
