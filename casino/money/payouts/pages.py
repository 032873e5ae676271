"""Pages of payouts, held and paid, with adjustments; pages of open pots and what lies in them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts
from casino.house.acts.accounts import PayoutPlace
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.kinds import ask_second_person
from casino.kit.web.forms import REASON_MAX, ActForm, ReasonForm, offer
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import REFUSALS, Outcome, office
from casino.money.payouts import adjustments, inspections, queries, resuming
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.adjustments import Adjustment
from casino.money.payouts.listings import PAYOUTS, POTS, ROLLOVERS, PayoutItem, items
from casino.money.payouts.pot_equation import CALLED, CALLED_TERMS, TERM_SIGNS
from casino.play.core import operations
from casino.play.settlement import payout_holds
from casino.words.languages.fields import CoinsField, WholeField
from casino.words.presenters import TITLES
from games.payments import HOUSE
from games.refusals import NoGame, Refused
from ledger.canonical import INTEGER_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpResponse

    from casino.house.establishments.models import Establishment
    from casino.kit.web.pages import Page
    from casino.money.payouts.pot_equation import Equation
    from casino.play.settlement.models import Payout

SECTION = "payouts"
HELD_MOST = 100  # held payouts on the page; a house is not expected to have more


class WitnessForm(ActForm):
    payout = forms.CharField(widget=forms.HiddenInput)


class FindingForm(ActForm):
    dice_set = forms.UUIDField(widget=forms.HiddenInput)
    finding = forms.CharField(
        label=gettext_lazy("What was looked at, and found"), max_length=REASON_MAX
    )


class AdjustmentForm(ActForm):
    """Asks for an adjustment; the page fills in the round or payout that it corrects."""

    giver = forms.ChoiceField(label=gettext_lazy("From"))
    taker = forms.ChoiceField(label=gettext_lazy("To"))
    amount = CoinsField(label=gettext_lazy("Amount"), min_value=1, max_value=INTEGER_MAX)
    round_no = WholeField(
        label=gettext_lazy("Round that it sets right"), min_value=1, required=False
    )
    payout = forms.RegexField(
        r"^[0-9]{1,9}\.[0-9]{1,4}$", label=gettext_lazy("Or one payout of it"), required=False,
        help_text=gettext_lazy("As in its address, such as 12.0: event and place."),
    )  # fmt: skip
    dispute = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(label=gettext_lazy("Reason"), max_length=REASON_MAX)

    def __init__(self, *args: Any, players: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        parties = [(HOUSE, str(CALLED[HOUSE])), *players.items()]
        for name in ("giver", "taker"):
            offer(self, name, parties)

    def adjustment(self, game: UUID) -> Adjustment:
        """The adjustment that was entered. Only after `is_valid`."""
        given = self.cleaned_data
        return Adjustment(
            game=game,
            giver=given["giver"],
            taker=given["taker"],
            amount=given["amount"],
            round_no=given["round_no"],
            payout=PayoutPlace.parse(given["payout"]) if given["payout"] else None,
            dispute=given["dispute"],
        )


@office("look", section=SECTION)
def payouts(page: Page) -> HttpResponse:
    """The list of payouts, newest first, with held payouts on top."""
    return _list(page)


def _list(page: Page, resume_form: ReasonForm | None = None) -> HttpResponse:
    def context() -> dict[str, Any]:
        held = queries.waiting(page.house.pk)
        return {
            "stop": _stop(page),
            "resume": resume_form or ReasonForm(),
            "held": [(item, _witnessing(item)) for item in items(page.house, held[:HELD_MOST])],
            "held_more": max(0, held.count() - HELD_MOST),
            "dice": _dice(page.house),
            "approves": page.may("approve"),
        }

    return page_with_list(page, PAYOUTS, "money/payouts/index.html", context)


def _witnessing(item: PayoutItem) -> WitnessForm:
    """The form of the button that witnesses a payout."""
    return WitnessForm(initial={"payout": item.place}, auto_id=False)


def _stop(page: Page) -> dict[str, Any] | None:
    house = page.house
    stop = payout_holds.stop_now(house.pk)
    if stop is None:
        return None
    return {
        "since": stop.since,
        "reason": tokens.resolve(house.pk, stop.reason),
        **payout_holds.explain(house, stop, page.now),
    }


def _dice(house: Establishment) -> list[dict[str, Any]]:
    rows = [
        {
            "number": dice.number,
            "dice": dice.dice,
            "game": last.data["game"],
            "payouts": last.data["payouts"],
            "failed": not last.data.get("in_order", True),
            "finding": last.data.get("finding", ""),
            "form": FindingForm(initial={"dice_set": dice.pk}, auto_id=f"%s-{dice.pk}"),
        }
        for dice, last in inspections.waiting(house)
    ]
    findings: list[str] = tokens.resolve(house.pk, [row["finding"] for row in rows])
    return [{**row, "finding": text} for row, text in zip(rows, findings, strict=True)]


@office("look", section=SECTION, post="approve")
def witness(page: Page, game: UUID) -> HttpResponse:
    """Witness a large prize; for people who may approve (A7)."""
    if not page.posted:
        return _list(page)
    raw = {
        "do": "witness",
        "command_id": page.request.POST.get("command_id", ""),
        "payout": page.request.POST.get("payout", ""),
    }

    def seen() -> None:
        answer = operations.command(
            by=page.person, house=page.house, game=game, raw=raw, now=page.now, device=page.device
        )
        if answer.refusal is not None:
            raise Refused(answer.refusal.detail)

    witnessed = _of_payouts(_("Witnessed. It is released as soon as it is booked."), game)
    return page.put(seen, witnessed, "payouts")


def _of_payouts(sentence: str, game: UUID) -> Outcome:
    """What was done to a payout, with a link to those of its game."""
    return Outcome(sentence, _("The payouts of the game"), reverse("payouts-of-game", args=[game]))


@office("look", section=SECTION, post="approve")
def resume(page: Page) -> HttpResponse:
    """Ask that payouts are resumed; a second person approves it (E2)."""
    form = ReasonForm(page.sent)
    if not form.is_valid():
        return _list(page, form)
    try:
        resuming.ask(page.act(form.act_id), reason=form.cleaned_data["reason"])
    except REFUSALS as refused:
        return page.refused(refused, "payouts")
    done = ask_second_person(page, _("Asked for. A second person approves it. C1"), form.act_id)
    return page.done(done, "approvals")


@office("look", section=SECTION, post="approve")
def inspect(page: Page) -> HttpResponse:
    """Record what an inspection of dice found (A7)."""
    form = FindingForm(page.sent)
    if not form.is_valid():
        sentence = _("Say what was looked at and found: it stays with the dice. A7")
        return page.refused(sentence, "payouts")
    return page.put(
        lambda: inspections.inspect(
            page.act(form.act_id),
            dice_set=form.cleaned_data["dice_set"],
            in_order=page.request.POST.get("found") == "in_order",
            finding=form.cleaned_data["finding"],
        ),
        Outcome(
            _("Recorded, by your name."),
            _("The dice set"),
            reverse("dice-set", args=[form.cleaned_data["dice_set"]]),
        ),
        "payouts",
    )


@office("look", section=SECTION)
def payout(page: Page, game: UUID, cause: int, seq: int) -> HttpResponse:
    """The page of one payout: why it was made, its history, and what is left to do."""
    row = queries.find(page.house.pk, game, cause, seq)
    if row is None:
        raise Http404("There is no such payout at this house.")
    [item] = items(page.house, [row])
    context = {
        "payout": item,
        "form": _witnessing(item),
        "steps": queries.history(row),
        "title": TITLES[_kind(row)],
        "approves": page.may("approve"),
    }
    return page.show("money/payouts/payout.html", context)


def _kind(row: Payout) -> str:
    return load(GameKey(row.establishment_id, row.game)).ruleset.id


@office("look", section=SECTION, post="record")
def of_game(page: Page, game: UUID) -> HttpResponse:
    """The payouts and adjustments of one game, and the form that asks for an adjustment."""
    try:
        loaded = load(GameKey(page.house.pk, game))
    except NoGame:
        raise Http404("There is no such game at this house.") from None
    players = list(loaded.stakes)
    named = dict(zip(players, tokens.resolve(page.house.pk, players), strict=True))
    cites = {
        "round_no": page.request.GET.get("round"),
        "payout": page.request.GET.get("payout"),
        "dispute": page.request.GET.get("dispute"),
    }
    given = {name: cited for name, cited in cites.items() if cited}
    form = AdjustmentForm(page.sent, players=named, initial=given)
    done = page.take(
        form,
        lambda: adjustments.ask(
            page.act(form.act_id), form.adjustment(game), reason=form.cleaned_data["reason"]
        ),
        lambda _receipt: ask_second_person(
            page, _("Asked for. A second person approves it. C1"), form.act_id
        ),
        "approvals",
    )
    return done or page.show("money/payouts/of_game.html", _game(page, loaded, form))


@office("look", section=SECTION, post="record")
def hand_out(page: Page, game: UUID, number: int) -> HttpResponse:
    """Pay a player at the cage what an adjustment gave them."""
    load(GameKey(page.house.pk, game))  # a game of another house has no page here
    form = ActForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Nothing was sent: try again."), "payouts-of-game", game=game)
    act = page.act(form.act_id, do="hand_out", game=str(game), number=number)
    return page.put(
        lambda: adjustments.hand_out(act, game=game, number=number),
        _("Paid from the cage, by your name."),
        "payouts-of-game",
        game=game,
    )


def _game(page: Page, loaded: Loaded, form: AdjustmentForm) -> dict[str, Any]:
    game = loaded.key.game
    made = [
        {
            **each,
            "giver": str(CALLED.get(each["from"], each["from"])),
            "taker": str(CALLED.get(each["to"], each["to"])),
            "who": _names(each["asked_by"], each["approved_by"]),
            "form": ActForm(auto_id=False),
        }
        for each in adjustments.adjustments_of(page.house, game)
    ]
    coming = [
        {
            "from": str(CALLED.get(payment.payer, payment.payer)),
            "to": payment.payee,
            "amount": payment.amount,
        }
        for _place, payment in queries.being_booked(loaded)
    ]
    rows = queries.payouts_of(page.house.pk).filter(game=game)
    return {
        "form": form,
        "title": TITLES[loaded.ruleset.id],
        "at": page.house.tables.get(pk=loaded.place["table"]).name,
        "game": game,
        "table": of_rows(page, PAYOUTS, rows),
        "coming": tokens.resolve(page.house.pk, coming),
        "made": tokens.resolve(page.house.pk, made),
        "records": page.may("record"),
        "pot": pot_of_game(page, game),
    }


def _names(*people: str | None) -> list[str]:
    """The names of attendants, in the order of the given ids; an unknown id stays as it is."""
    ids = [UUID(each) for each in people if each]
    names = {str(who.pk): str(who) for who in Attendant.objects.filter(pk__in=ids)}
    return [names.get(each, each) for each in people if each]


# Pages of open pots: what came in, what left, what lies in each (A1, A6).


@office("look", section="pots")
def open_pots(page: Page) -> HttpResponse:
    """The page of all open pots and of the lots that wait in the rollover, with their totals."""
    found = pots.open_pots(page.house.pk)
    lots = pots.rollovers(page.house)
    in_pots = sum(pot.equation.balance for pot in found)
    booked = pots.in_rollovers(page.house.pk)
    context = {
        "lots": of_rows(page, ROLLOVERS, lots),
        "being_booked": sum(lot["amount"] for lot in lots) != booked,
        "in_pots": in_pots,
        "in_rollovers": booked,
        "of_players": in_pots + booked,
    }
    return page_with_list(
        page, replace(POTS, rows=lambda _viewer: found), "money/pots/index.html", context
    )


def pot_of_game(page: Page, game: UUID) -> dict[str, Any]:
    """The equation of one game's pot, for the page of the game's payouts."""
    equation = pots.of_game(page.house.pk, game)
    return {
        "terms": terms(equation),
        "adds_up": equation.adds_up,
        "account": account(page, game),
        "lineage": reverse("pot-lineage", args=[game]),
    }


def terms(equation: Equation) -> list[dict[str, Any]]:
    return [
        {"name": term, "sign": TERM_SIGNS[term], "title": CALLED_TERMS[term], "coins": coins}
        for term, coins in equation.terms().items()
    ]


def account(page: Page, game: UUID) -> str | None:
    """The name of the pot's account; None if the person may not see its statement."""
    return accounts.pot(game).name if page.may("audit") else None
