"""The pages of proposals: what waits, one proposal, settings for many houses, people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.chain import listings, operations, proposals, roll_outs
from casino.chain.frame import LISTED, chain_page, member_at
from casino.chain.models import (
    ChainHouse,
    ChainMember,
    ChainRole,
    DiceTransfer,
    Proposal,
    RollOutHouse,
)
from casino.chain.proposals import Kind
from casino.house.attendants.models import Attendant
from casino.house.establishments.clock import write_as_at
from casino.house.establishments.models import Establishment, HouseRules
from casino.house.home_throws import house_rules
from casino.kit.web.forms import ActForm, ReasonForm, offer
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import Outcome
from casino.settings.configuration import descriptions
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.forms.rules import RulesForm
from casino.words.languages import amounts
from casino.words.languages.fields import CoinsField
from casino.words.presenters import TITLES
from casino.words.presenters.registered import OPENINGS, forms_of_games
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from django.http import HttpResponse

    from casino.kit.web.pages import Page

SECTION = "chain-proposals"


@chain_page("audit", section=SECTION)
def index(page: Page) -> HttpResponse:
    """What was proposed, the latest first."""
    context = {"manages": page.may("configure"), "first_game": next(iter(forms_of_games())).game}
    return page_with_list(page, listings.PROPOSALS, "chain/proposals.html", context)


@chain_page("audit", section=SECTION, post="configure")
def one(page: Page, proposal: UUID) -> HttpResponse:
    """One proposal: what it is, what became of it, and the answer of a second person."""
    found = _open_proposal(page, proposal)
    form = AnswerForm(page.sent)
    if page.posted and page.request.POST.get("do") == "again":
        return _again(page, found)
    done = page.take(
        form, lambda: _answer(page, found, form), _("Done, and on record."), "chain:proposal",
        proposal=proposal,
    )  # fmt: skip
    own = found.asked_by_id == page.person.pk
    waits = found.state == Proposal.State.WAITING and page.may("configure")
    context = {
        "proposal": found,
        "sign": listings.PROPOSAL_STATES[found.state],
        "told": list(_terms_in_words(found)),
        "form": form,
        "own": own,
        "waits": waits,
        "refused": 0,
        "manages": page.may("configure"),
    }
    if found.kind in {Proposal.Kind.SETTINGS, Proposal.Kind.RULES}:
        rows = RollOutHouse.objects.filter(proposal=found).select_related("establishment")
        context["refused"] = rows.filter(state=RollOutHouse.State.REFUSED).count()
        context["table"] = of_rows(
            page, listings.ROLLED_OUT, rows.order_by("establishment__name")[:LISTED]
        )
        context["underway"] = rows.filter(
            state__in=[RollOutHouse.State.WAITING, RollOutHouse.State.RUNNING]
        ).exists()
    return done or page.show("chain/proposal.html", context)


def _open_proposal(page: Page, proposal: UUID) -> Proposal:
    rows = Proposal.objects.filter(chain=page.house.pk, pk=proposal)
    found = rows.select_related("asked_by", "decided_by").first()
    if found is None:
        raise Http404("Your chain has no such proposal.")
    return found


def _answer(page: Page, found: Proposal, form: AnswerForm) -> None:
    do, member = page.request.POST.get("do", ""), member_at(page)
    if do == "withdraw":
        proposals.withdraw(member, found.pk, now=page.now, command_id=form.act_id)
        return
    proposals.decide(
        member, found.pk, approve=do == "approve", now=page.now, command_id=form.act_id,
        answer=form.cleaned_data["answer"],
    )  # fmt: skip


def _again(page: Page, found: Proposal) -> HttpResponse:
    return page.put(
        lambda: roll_outs.again(member_at(page), found.pk, now=page.now),
        lambda many: _("Houses that are tried once more: %(many)s.") % {"many": many},
        "chain:proposal",
        proposal=found.pk,
    )


def _terms_in_words(found: Proposal) -> Iterator[tuple[str, str]]:
    """What is proposed, in words."""
    subject = found.subject
    match found.kind:
        case Proposal.Kind.SETTINGS:
            yield from _settings(found)
        case Proposal.Kind.RULES:
            yield from _rules(found)
        case Proposal.Kind.APPOINT | Proposal.Kind.DISMISS:
            yield _("Who"), str(Attendant.objects.get(pk=subject["attendant"]))
            if "role" in subject:
                yield _("Role"), str(ChainRole(subject["role"]).label)
        case Proposal.Kind.DICE:
            rows = DiceTransfer.objects.select_related("source", "target")
            row = rows.get(proposal=found)
            yield _("Dice set"), f"{row.number} ({row.dice})"
            yield _("From"), str(row.source)
            yield _("To"), str(row.target)
            yield _("How far it is"), f"{row.get_state_display()} {row.why}".strip()


def _settings(found: Proposal) -> Iterator[tuple[str, str]]:
    values, labels = found.subject["values"], HouseForm.Meta.labels
    row = RollOutHouse.objects.filter(proposal=found).select_related("establishment").first()
    for name, value in values.items():
        label = str(labels.get(name) or descriptions.heading(Establishment, name))
        if isinstance(value, bool):
            yield label, _("yes") if value else _("no")
        elif descriptions.is_amount("establishment", name) and row is not None:
            with write_as_at(row.establishment):
                yield label, amounts.money(value)
        else:
            yield label, str(value)
    yield _("Houses"), str(found.subject["many"])


def _rules(found: Proposal) -> Iterator[tuple[str, str]]:
    given = found.subject["rules"]
    told = HouseRules(**given)
    row = RollOutHouse.objects.filter(proposal=found).select_related("establishment").first()
    yield _("Game"), str(TITLES.get(told.game, told.game))
    yield _("The house has this game"), _("yes") if told.played else _("no")
    with write_as_at(row.establishment if row else Establishment()):
        if told.game in OPENINGS:
            for option in descriptions.options_of(OPENINGS[told.game], told.options):
                yield option["label"], option["value"]
        yield _("Fee"), house_rules.fee_text(told.fee)
    yield _("Home throws"), str(told.get_home_throws_display())
    yield _("Who may open it otherwise"), str(told.get_deviations_display())
    yield _("Houses"), str(found.subject["many"])


# --- Settings for many houses ---------------------------------------------------------------------


@chain_page("configure", section=SECTION)
def settings(page: Page) -> HttpResponse:
    """Propose settings for houses; amounts only where all houses to choose from share a coin."""
    choice = _choice(page)
    with write_as_at(choice.coin_of):
        form = RollOutForm(page.sent, houses=choice.houses, money=bool(choice.currency))

        def proposed() -> Proposal:
            return roll_outs.propose(
                member_at(page), values=form.values(), houses=form.houses_chosen(),
                reason=form.cleaned_data["reason"], command_id=form.act_id, now=page.now,
            )  # fmt: skip

        done = page.take(form, proposed, _outcome, "chain:proposals")
        return done or page.show("chain/settings.html", {"form": form, "choice": choice})


@chain_page("configure", section=SECTION)
def rules(page: Page, game: str) -> HttpResponse:
    """Propose how a game is played at houses of one currency."""
    if game not in OPENINGS:
        raise Http404("There is no such game.")
    choice = _choice(page)
    context = {
        "choice": choice,
        "game": game,
        "title": TITLES[game],
        "games": [(each.game, TITLES[each.game]) for each in forms_of_games()],
    }
    if not choice.currency:
        return page.show("chain/rules.html", context)
    with write_as_at(choice.coin_of):
        form = RulesForHouses(page.sent, houses=choice.houses, form=OPENINGS[game])

        def proposed() -> Proposal:
            return roll_outs.propose_rules(
                member_at(page), rules=form.drafted(), houses=form.houses_chosen(),
                reason=form.cleaned_data["reason"], command_id=form.act_id, now=page.now,
            )  # fmt: skip

        done = page.take(form, proposed, _outcome, "chain:proposals")
        return done or page.show("chain/rules.html", {**context, "form": form})


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """
    The houses to choose from, as the address narrows them.

    :param currency: their one currency; "" if they have several. :param coin_of: writes amounts.
    """

    houses: list[ChainHouse]
    currencies: list[tuple[str, str]]
    currency: str
    name: str
    coin_of: Establishment

    @property
    def several(self) -> bool:
        return len(self.currencies) > 1

    @property
    def more(self) -> int:
        return max(0, len(self.houses) - LISTED)


def _choice(page: Page) -> Choice:
    known = listings.currencies(page.house)
    asked = page.request.GET.get("currency", "")
    currency = asked if asked in dict(known) else (known[0][0] if len(known) == 1 else "")
    houses = _to_choose_from(page, currency)
    return Choice(
        houses=houses,
        currencies=known,
        currency=currency,
        name=page.request.GET.get("name", ""),
        coin_of=houses[0].establishment if currency and houses else page.house,
    )


def _to_choose_from(page: Page, currency: str) -> list[ChainHouse]:
    rows = ChainHouse.objects.filter(chain=page.house.pk).select_related("establishment")
    if currency:
        rows = listings.in_currency(rows, currency)
    if name := page.request.GET.get("name", "").strip():
        rows = rows.filter(establishment__name__icontains=name)
    return list(rows.order_by("establishment__name"))


def _outcome(made: Proposal) -> Outcome:
    said = _("Proposed. Another manager of the chain approves it. C1")
    return Outcome(said, str(made.get_kind_display()), reverse("chain:proposal", args=[made.pk]))


# --- People ---------------------------------------------------------------------------------------


@chain_page("configure", section="chain-people")
def appoint(page: Page) -> HttpResponse:
    """Propose that somebody gets a role in the chain."""
    form = AppointForm(page.sent)

    def proposed() -> Proposal:
        given = form.cleaned_data
        return propose_appointment(
            member_at(page), username=given["username"], role=given["role"],
            reason=given["reason"], command_id=form.act_id, now=page.now,
        )  # fmt: skip

    done = page.take(form, proposed, _outcome, "chain:proposals")
    return done or page.show("chain/appoint.html", {"form": form})


@chain_page("configure", section="chain-people")
def dismiss(page: Page) -> HttpResponse:
    """Propose that somebody's role in the chain ends."""
    form = DismissForm(page.sent)
    rows = ChainMember.objects.filter(chain=page.house.pk, until__isnull=True)
    others = rows.exclude(attendant=page.person).select_related("attendant")
    offer(form, "attendant", [(str(each.attendant_id), str(each)) for each in others])

    def proposed() -> Proposal:
        given = form.cleaned_data
        return propose_dismissal(
            member_at(page), attendant=UUID(given["attendant"]), reason=given["reason"],
            command_id=form.act_id, now=page.now,
        )  # fmt: skip

    done = page.take(form, proposed, _outcome, "chain:proposals")
    return done or page.show("chain/dismiss.html", {"form": form})


# Who works for a chain, as its managers propose and approve it.


class NobodyOfThatName(Refused):
    code = "nobody_of_that_name"


class OwnRole(Refused):
    code = "own_role"


def propose_appointment(  # noqa: PLR0913 - who proposes whom, and why
    member: ChainMember, *, username: str, role: str, reason: str, command_id: UUID, now: datetime
) -> Proposal:
    """
    Propose that somebody gets a role in the chain, or another role.

    :raises NobodyOfThatName: if nobody signs in under that name.
    :raises OwnRole: if they propose a role for themselves. D1
    """
    person = Attendant.objects.filter(
        username=username.strip(), is_active=True, is_superuser=False
    ).first()
    if person is None:
        raise NobodyOfThatName(f"Nobody signs in here as {username}: somebody takes them on first.")
    _another(member, person.pk)
    subject = {"attendant": str(person.pk), "role": ChainRole(role).value}
    return proposals.propose(
        member, kind=Kind.APPOINT, subject=subject, reason=reason, command_id=command_id, now=now
    )


def propose_dismissal(
    member: ChainMember, *, attendant: UUID, reason: str, command_id: UUID, now: datetime
) -> Proposal:
    """
    Propose that somebody's role in the chain ends.

    :raises NotOfThisChain: if they have none.
    :raises OwnRole: if it is their own. D1
    """
    _another(member, attendant)
    rows = ChainMember.objects.filter(chain=member.chain, attendant=attendant, until__isnull=True)
    if not rows.exists():
        raise operations.NotOfThisChain(f"They have no role in {member.chain}.")
    subject = {"attendant": str(attendant)}
    return proposals.propose(
        member, kind=Kind.DISMISS, subject=subject, reason=reason, command_id=command_id, now=now
    )


def _another(member: ChainMember, attendant: UUID) -> None:
    if attendant == member.attendant_id:
        raise OwnRole("Nobody changes their own role: another manager does. D1")


def appoint_at_house(proposal: Proposal, by: Attendant, now: datetime) -> None:
    person = _person(proposal, by)
    operations.appoint(
        proposal.chain, person, proposal.subject["role"], now=now, by=by,
        asked_by=str(proposal.asked_by_id),
    )  # fmt: skip


def dismiss_at_house(proposal: Proposal, by: Attendant, now: datetime) -> None:
    person = _person(proposal, by)
    operations.dismiss(proposal.chain, person, now=now, by=by, asked_by=str(proposal.asked_by_id))


def _person(proposal: Proposal, by: Attendant) -> Attendant:
    """:raises OwnRole: if the approver's own role is decided. C1"""
    if proposal.subject["attendant"] == str(by.pk):
        raise OwnRole("This is about your own role: another manager decides it. D1")
    return Attendant.objects.get(pk=proposal.subject["attendant"])


# --- Forms: settings for many houses, people, the answer to a proposal ----------------------------


AS_IT_IS: Final = ""
SWITCHES: Final = [
    (AS_IT_IS, gettext_lazy("as it is")),
    ("yes", gettext_lazy("yes")),
    ("no", gettext_lazy("no")),
]


class ForHouses(ReasonForm):
    """
    Which houses of the chain something is for.

    :param houses: those to choose from.
    """

    every = forms.BooleanField(label=gettext_lazy("All houses of this list"), required=False)
    houses = forms.MultipleChoiceField(
        label=gettext_lazy("Houses"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, houses: Iterable[ChainHouse], **more: Any) -> None:
        super().__init__(*args, **more)
        self.offered = list(houses)
        choices = [(str(each.pk), each.establishment.name) for each in self.offered[:LISTED]]
        offer(self, "houses", choices)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("every") and not cleaned.get("houses"):
            self.add_error("houses", gettext_lazy("Choose at which houses."))
        return cleaned

    def houses_chosen(self) -> list[UUID]:
        if self.cleaned_data["every"]:
            return [each.pk for each in self.offered]
        wanted = set(self.cleaned_data["houses"])
        return [each.pk for each in self.offered if str(each.pk) in wanted]


class RollOutForm(ForHouses):
    """
    Settings for houses: each is left as it is unless it is filled in.

    :param money: whether amounts are offered, because the houses to choose from share a currency.
    """

    field_order = ("houses", "every", *roll_outs.SETTINGS, "reason")

    def __init__(self, *args: Any, money: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in roll_outs.SETTINGS:
            if money or name not in roll_outs.MONEY:
                self.fields[name] = _field(name)
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if not self.errors and not self.values():
            self.add_error(
                None, gettext_lazy("Nothing is changed yet: fill in what is to be another.")
            )
        return cleaned

    def values(self) -> dict[str, Any]:
        """Column to value, for what is filled in."""
        filled: dict[str, Any] = {}
        for name in roll_outs.SETTINGS:
            given = self.cleaned_data.get(name)
            if given in {None, AS_IT_IS}:
                continue
            filled[name] = given == "yes" if isinstance(given, str) else given
        return filled


class RulesForHouses(RulesForm, ForHouses):
    """How a game is played at houses, from when each of them gets it; its words stay its own."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        for name in ("begins", "effective_from", "text"):
            del self.fields[name]
        self.order_fields(["houses", "every", *self.fields])

    def drafted(self) -> dict[str, Any]:
        self.cleaned_data["text"] = ""
        return {name: each for name, each in super().drafted().items() if name != "text"}


def _field(name: str) -> forms.Field:
    """The field of a setting: labelled as at a house, and empty where it stays as it is."""
    column = descriptions.field_of(Establishment, name)
    labels: Mapping[str, Any] = HouseForm.Meta.labels
    label = labels.get(name, descriptions.heading(Establishment, name))
    if name in roll_outs.MONEY:
        return CoinsField(label=label, required=False, min_value=1)
    if column.get_internal_type() == "BooleanField":
        return forms.ChoiceField(label=label, required=False, choices=SWITCHES)
    return forms.IntegerField(label=label, required=False, min_value=0)


class AppointForm(ReasonForm):
    field_order = ("username", "role", "reason")
    username = forms.CharField(label=gettext_lazy("Sign-in"), max_length=150)
    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=ChainRole.choices)


class DismissForm(ReasonForm):
    field_order = ("attendant", "reason")
    attendant = forms.ChoiceField(label=gettext_lazy("Who"))


class AnswerForm(ActForm):
    """The answer to a proposal; a reason is needed to reject it."""

    answer = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        required=False,
        help_text=gettext_lazy("Needed to reject it."),
    )
