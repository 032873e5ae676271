"""The pages of dice sets that move between houses of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from casino.chain import dice_transfers, listings
from casino.chain.forms import LISTED, SendForm
from casino.chain.frame import chain_page, member_at
from casino.chain.models import ChainHouse
from casino.kit.web.forms import offer
from casino.kit.web.listings.pages import page_with_list
from casino.kit.web.pages import Outcome

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.chain.models import Proposal
    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page

SECTION = "chain-dice"


@chain_page("audit", section=SECTION)
def index(page: Page) -> HttpResponse:
    """The sets that moved or are about to, the latest first."""
    return page_with_list(
        page, listings.TRANSFERS, "chain/dice.html", {"manages": page.may("configure")}
    )


@chain_page("configure", section=SECTION)
def send(page: Page) -> HttpResponse:
    """Propose that a dice set goes to another house. First, from which house it goes."""
    houses = ChainHouse.objects.filter(chain=page.house.pk).select_related("establishment")
    named = list(
        houses.order_by("establishment__name").values_list("establishment__name", flat=True)[
            :LISTED
        ]
    )
    context: dict[str, Any] = {"names": named, "asked": page.request.GET.get("house", "")}
    source = _source(page)
    if source is None:
        return page.show("chain/dice_send.html", context)
    form = SendForm(page.sent)
    sets = dice_transfers.movable(source)
    offer(form, "dice_set", [(str(dice.pk), str(dice)) for dice in sets])
    done = page.take(form, lambda: propose_move(page, form, source), _outcome, "chain:dice")
    return done or page.show("chain/dice_send.html", {**context, "source": source, "form": form})


def _source(page: Page) -> Establishment | None:
    """The house that the address names, by id or by name; None if it names none."""
    rows = ChainHouse.objects.filter(chain=page.house.pk).select_related("establishment")
    if given := page.request.GET.get("from", ""):
        try:
            rows = rows.filter(establishment=UUID(given))
        except ValueError:
            raise Http404("There is no such house in your chain.") from None
        found = rows.first()
        if found is None:
            raise Http404("There is no such house in your chain.")
        return found.establishment
    if name := page.request.GET.get("house", "").strip():
        found = rows.filter(establishment__name__iexact=name).first()
        return found.establishment if found else None
    return None


def propose_move(page: Page, form: SendForm, source: Establishment) -> Proposal:
    given = form.cleaned_data
    rows = ChainHouse.objects.filter(
        chain=page.house.pk, establishment__name__iexact=given["target"].strip()
    )
    target = rows.first()
    if target is None:
        raise dice_transfers.NotOfTheChain(f"Your chain has no house called {given['target']}.")
    return dice_transfers.propose(
        member_at(page), source=source.pk, target=target.pk, dice_set=UUID(given["dice_set"]),
        reason=given["reason"], command_id=form.act_id, now=page.now,
    )  # fmt: skip


def _outcome(made: Proposal) -> Outcome:
    said = _("Proposed. Another manager of the chain approves it. C1")
    return Outcome(said, str(made.get_kind_display()), reverse("chain:proposal", args=[made.pk]))
