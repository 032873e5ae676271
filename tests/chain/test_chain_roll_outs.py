"""Settings for many houses: each house by itself, each with its own event, whoever refuses."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from django.core.exceptions import ValidationError
from django.db import OperationalError
from django.utils import timezone

from casino.chain import operations, proposals, roll_outs, tasks
from casino.chain.models import Proposal, RollOut, RollOutHouse
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import changes
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import Change, Establishment, HouseRules
from casino.house.home_throws import house_rules
from casino.kit.web.jobs import running
from casino.settings.configuration import operations as configuration
from ledger import journal
from tests.support import builders
from tests.support.chained import browser, chained, joined, proven
from tests.support.listed import on_page

if TYPE_CHECKING:
    from tests.support.builders import House
    from tests.support.chained import Chained

pytestmark = pytest.mark.django_db
State = RollOutHouse.State


def proposed(here: Chained, houses: list[House] | None = None, **values: Any) -> Proposal:
    chosen = here.houses if houses is None else houses
    return roll_outs.propose(
        proven(here.manager), values=values, houses=[each.id for each in chosen],
        reason="From spring on.", command_id=uuid.uuid4(), now=timezone.now(),
    )  # fmt: skip


def approved(here: Chained, made: Proposal) -> None:
    proposals.decide(
        proven(here.second), made.pk, approve=True, now=timezone.now(), command_id=uuid.uuid4()
    )


def worked() -> None:
    """What the workers do: begin the jobs, and run each."""
    while roll_outs.begin_waiting(timezone.now()):
        pass
    for run in RollOut.objects.filter(state="running"):
        while running.advance(roll_outs.ROLL_OUT, run.establishment_id, run.id, seconds=1):
            pass


def rolled_out(here: Chained, **values: Any) -> Proposal:
    made = proposed(here, **values)
    approved(here, made)
    worked()
    return made


def became(made: Proposal) -> dict[str, str]:
    rows = RollOutHouse.objects.filter(proposal=made)
    return {str(row.establishment_id): row.state for row in rows}


def events(house: House) -> list[Any]:
    return journal.stream(establishment=house.id, stream=changes.record_stream("establishment"))


def test_each_house_has_the_settings_and_its_own_event_with_both_people_and_the_reason() -> None:
    here = chained(2)
    made = rolled_out(here, idle_after=25, wall=True)

    assert set(became(made).values()) == {State.DONE}
    for house in here.houses:
        stored = Establishment.objects.get(pk=house.id)
        assert (stored.idle_after, stored.wall) == (25, True)
        [event] = events(house)
        assert event.event_type == "establishment.changed"
        assert event.data["before"] != event.data["after"]
        assert event.data["after"]["idle_after"] == 25
        assert event.provenance.actor == event.data["approved_by"] == str(here.second.pk)
        assert event.data["asked_by"] == str(here.manager.pk)
        assert (event.data["chain"], event.data["proposal"]) == (str(here.chain.pk), str(made.pk))
        assert tokens.resolve(house.id, event.data["reason"]) == "From spring on."


def test_nothing_happens_before_a_second_person_approves() -> None:
    here = chained(1)
    made = proposed(here, idle_after=25)
    worked()
    assert became(made) == {str(here.house.id): State.PROPOSED}
    assert events(here.house) == []


def test_a_house_s_change_log_names_who_asked() -> None:
    here = chained(1)
    rolled_out(here, idle_after=25)
    builders.followed(HOUSE, here.house.id)
    row = Change.objects.get(establishment=here.house.id, kind="establishment")
    assert (row.actor, row.asked_by) == (str(here.second.pk), str(here.manager.pk))


def test_two_people_of_the_chain_stand_for_the_house_s_two() -> None:
    here = chained(1, two_configure=True)
    made = rolled_out(here, idle_after=25)
    assert became(made) == {str(here.house.id): State.DONE}


def test_one_that_has_it_already_is_left_alone() -> None:
    here = chained(1, idle_after=25)
    made = rolled_out(here, idle_after=25)
    assert became(made) == {str(here.house.id): State.UNCHANGED}
    assert events(here.house) == []


def test_a_house_that_refuses_is_named_and_the_others_go_on() -> None:
    here = chained(2)
    made = proposed(here, idle_after=25)
    approved(here, made)
    operations.leave(here.chain, here.house.establishment, reason="", now=timezone.now())
    worked()

    states = became(made)
    assert states[str(here.house.id)] == State.REFUSED
    assert states[str(here.houses[1].id)] == State.DONE
    row = RollOutHouse.objects.get(proposal=made, establishment=here.house.id)
    assert "has left" in row.why


def test_the_refused_are_tried_again_and_what_is_done_stays_done() -> None:
    here = chained(2)
    made = proposed(here, idle_after=25)
    approved(here, made)
    Establishment.objects.filter(pk=here.house.id).update(setting_up="tables")
    worked()
    assert became(made)[str(here.house.id)] == State.REFUSED
    Establishment.objects.filter(pk=here.house.id).update(setting_up="")

    assert roll_outs.again(proven(here.manager), made.pk, now=timezone.now()) == 1
    worked()
    assert set(became(made).values()) == {State.DONE}
    assert [len(events(house)) for house in here.houses] == [1, 1]
    assert roll_outs.again(proven(here.manager), made.pk, now=timezone.now()) == 0


def test_killed_between_the_house_s_event_and_the_job_s_step_it_is_done_once() -> None:
    here = chained(1)
    made = proposed(here, idle_after=25)
    approved(here, made)
    roll_outs.begin_waiting(timezone.now())
    [run] = RollOut.objects.all()
    dies = mock.patch.object(running, "_record_step", side_effect=OperationalError)
    with dies, pytest.raises(OperationalError):
        running.advance(roll_outs.ROLL_OUT, run.establishment_id, run.id, seconds=1)
    assert len(events(here.house)) == 1
    worked()

    assert became(made) == {str(here.house.id): State.DONE}
    assert len(events(here.house)) == 1


def test_two_workers_begin_one_job_of_a_house() -> None:
    here = chained(2)
    made = proposed(here, idle_after=25)
    approved(here, made)
    rows = list(RollOutHouse.objects.select_related("establishment", "proposal__decided_by"))
    for row in [*rows, *rows]:
        roll_outs._begin(row, timezone.now())
    assert RollOut.objects.count() == 2


def test_a_lost_wake_is_found_by_the_sweep() -> None:
    here = chained(1)
    approved(here, proposed(here, idle_after=25))
    with mock.patch.object(tasks.begin_roll_outs, "delay") as woken:
        tasks.watch()
    assert woken.call_count == 1


RULES: dict[str, Any] = {
    "game": "stone-hand", "played": True, "options": {}, "fee": {"kind": "rake", "percent": 5},
    "home_throws": "none", "deviations": "nobody",
}  # fmt: skip


@pytest.mark.long("postgresql", but="citus")
class TestRules:
    def rolled_out(self, here: Chained, **more: Any) -> Proposal:
        made = roll_outs.propose_rules(
            proven(here.manager), rules={**RULES, **more},
            houses=[each.id for each in here.houses], reason="One fee everywhere.",
            command_id=uuid.uuid4(), now=timezone.now(),
        )  # fmt: skip
        approved(here, made)
        worked()
        return made

    def test_each_house_gets_a_version_of_its_own_with_its_event(self) -> None:
        here = chained(2)
        made = self.rolled_out(here)
        assert set(became(made).values()) == {State.DONE}
        for house in here.houses:
            rules = HouseRules.objects.get(establishment=house.id)
            assert (rules.version, rules.fee) == (1, {"kind": "rake", "percent": 5})
            event = journal.last(
                establishment=house.id, stream=changes.record_stream("house_rules")
            )
            assert event is not None
            assert event.event_type == "house_rules.created"
            assert event.data["approved_by"] == str(here.second.pk)
            assert event.data["proposal"] == str(made.pk)

    def test_it_follows_what_was_in_force_and_keeps_the_house_s_own_words(self) -> None:
        here = chained(1)
        house_rules.publish(
            establishment=here.house.establishment, game="stone-hand", by=here.house.manager,
            effective_from=timezone.now(), now=timezone.now() - timedelta(minutes=1),
            text="Throw gently.",
        )  # fmt: skip
        self.rolled_out(here)
        latest = HouseRules.objects.filter(establishment=here.house.id).order_by("version").last()
        assert latest is not None
        assert latest.version == 2
        assert tokens.resolve(here.house.id, latest.text) == "Throw gently."

    def test_a_house_that_plays_so_already_is_left_alone(self) -> None:
        here = chained(1)
        self.rolled_out(here)
        made = self.rolled_out(here)
        assert became(made) == {str(here.house.id): State.UNCHANGED}
        assert HouseRules.objects.count() == 1

    def test_what_the_game_does_not_allow_is_not_proposed(self) -> None:
        here = chained(1)
        with pytest.raises(ValidationError):
            self.rolled_out(here, fee={"kind": "rake", "percent": 55})
        joined(here.chain, builders.house(currency_symbol="x"))
        other = next(each.establishment for each in here.chain.houses.all()
                     if each.pk != here.house.id)  # fmt: skip
        with pytest.raises(roll_outs.SeveralCurrencies):
            roll_outs.propose_rules(
                proven(here.manager), rules=RULES, houses=[here.house.id, other.pk],
                reason="Both.", command_id=uuid.uuid4(), now=timezone.now(),
            )  # fmt: skip

    def test_on_a_page_they_are_proposed_and_told(self) -> None:
        here = chained(2)
        client = browser(here.manager)
        path = "/chain/proposals/rules/stone-hand/"
        form = client.get(path).context["form"]
        sent = {"command_id": uuid.uuid4(), "every": "on", "reason": "Everywhere."}
        for name, field in form.fields.items():
            if name not in sent and name not in {"houses", "played"}:
                initial = form.get_initial_for_field(field, name)
                sent[name] = "" if initial is None else initial
        answer = client.post(path, {**sent, "played": "on", "home_throws": "none"})
        assert answer.status_code == 302, answer.context["form"].errors
        made = Proposal.objects.get()
        assert made.subject["rules"]["game"] == "stone-hand"
        assert client.get(f"/chain/proposals/{made.pk}/").status_code == 200
        approved(here, made)
        worked()
        assert set(became(made).values()) == {State.DONE}


@pytest.mark.long("postgresql", but="citus")
class TestWhatIsRefused:
    def test_an_amount_for_houses_of_two_currencies(self) -> None:
        here = chained(1)
        other = builders.house(currency_symbol="€", currency_code="EUR", coin_digits=2)
        joined(here.chain, other)
        with pytest.raises(roll_outs.SeveralCurrencies):
            proposed(here, [here.house, other], large_prize=100)
        assert proposed(here, [here.house, other], idle_after=5)

    def test_a_house_of_another_chain(self) -> None:
        here, other = chained(1), chained(1)
        with pytest.raises(roll_outs.NotOfTheChain):
            proposed(here, [here.house, other.house], idle_after=5)

    @pytest.mark.parametrize(
        "values", [{"name": "Ours"}, {"time_zone": "UTC"}, {"idle_after": 0}, {"secret": b"x"}]
    )
    def test_what_a_chain_does_not_decide(self, values: dict[str, Any]) -> None:
        here = chained(1)
        with pytest.raises(ValidationError):
            proposed(here, **values)

    def test_nothing_at_all(self) -> None:
        here = chained(1)
        with pytest.raises(roll_outs.NothingToRollOut):
            proposed(here)
        with pytest.raises(roll_outs.NothingToRollOut):
            proposed(here, [], idle_after=5)

    def test_a_value_that_does_not_fit_one_house(self) -> None:
        here = chained(2)
        made = proposed(here, idle_after=25)
        approved(here, made)
        puts = configuration.put_decided

        def refuses(act: Any, *wanted: Any, **more: Any) -> Any:
            if act.house.pk == here.house.id:
                raise ValidationError({"idle_after": "Not here."})
            return puts(act, *wanted, **more)

        with mock.patch.object(configuration, "put_decided", refuses):
            worked()
        row = RollOutHouse.objects.get(proposal=made, establishment=here.house.id)
        assert (row.state, row.why) == (State.REFUSED, "Not here.")


@pytest.mark.long("postgresql", but="citus")
class TestPages:
    def test_settings_are_proposed_on_a_page_with_amounts_as_the_houses_write_them(self) -> None:
        here = chained(2, currency_code="EUR", currency_symbol="€", coin_digits=2)
        client = browser(here.manager)
        form = client.get("/chain/proposals/settings/").context["form"]
        assert "large_prize" in form.fields
        given = {"large_prize": "750.50", "tips_allowed": "yes", "wall": "", "idle_after": ""}
        sent = {"command_id": uuid.uuid4(), "every": "on", "reason": "Spring.", **given}
        client.post("/chain/proposals/settings/", sent)
        made = Proposal.objects.get()
        assert made.subject["values"] == {"large_prize": 75050, "tips_allowed": True}
        page = browser(here.auditor).get(f"/chain/proposals/{made.pk}/")
        assert "€750.50" in page.content.decode()
        assert len(page.context["table"].lines) == 2

    def test_of_several_currencies_amounts_wait_for_one_to_be_chosen(self) -> None:
        here = chained(1)
        joined(here.chain, builders.house(currency_symbol="x"))
        client = browser(here.manager)
        form = client.get("/chain/proposals/settings/").context["form"]
        assert "large_prize" not in form.fields
        form = client.get("/chain/proposals/settings/?currency=.x.0").context["form"]
        assert "large_prize" in form.fields
        assert len(form.offered) == 1

    @pytest.mark.parametrize("more", [{}, {"every": "on"}, {"idle_after": "7"}])
    def test_a_form_without_houses_or_values_is_shown_again(self, more: dict[str, str]) -> None:
        here = chained(1)
        sent = {"command_id": uuid.uuid4(), "reason": "X.", **more}
        answer = browser(here.manager).post("/chain/proposals/settings/", sent)
        assert answer.status_code == 422
        assert not Proposal.objects.exists()

    def test_the_houses_of_a_roll_out_are_listed_in_the_api(self) -> None:
        here = chained(2)
        made = rolled_out(here, idle_after=25)
        client = builders.client(here.auditor)
        rows = client.get(f"/api/v1/chain/roll-outs/?proposal={made.pk}").json()["results"]
        assert [row["state"] for row in rows] == ["done", "done"]
        jobs = on_page(browser(here.house.auditor), "/jobs/")
        assert [item.job.kind for item in jobs] == ["roll_out"]


@pytest.mark.long("postgresql", but="citus")
class TestByTheApi:
    def sent(self, here: Chained, **more: Any) -> Any:
        body = {"command_id": str(uuid.uuid4()), "reason": "Spring.", **more}
        return builders.client(here.manager).post("/api/v1/chain/proposals/", body)

    def test_settings_are_proposed_for_all_houses_or_those_that_are_found(self) -> None:
        here = chained(2)
        answer = self.sent(here, values={"idle_after": 20})
        assert (answer.status_code, answer.json()["state"]) == (201, "waiting")
        assert answer.json()["subject"]["many"] == 2
        name = here.house.establishment.name
        found = self.sent(here, values={"idle_after": 30}, name=name, currency=".r.0")
        assert found.json()["subject"]["values"] == {"idle_after": 30}
        rows = RollOutHouse.objects.filter(proposal=found.json()["id"])
        assert here.house.id in [row.establishment_id for row in rows]

    def test_sent_twice_it_is_proposed_once(self) -> None:
        here, command = chained(1), str(uuid.uuid4())
        first = self.sent(here, values={"idle_after": 20}, command_id=command)
        again = self.sent(here, values={"idle_after": 20}, command_id=command)
        assert first.json()["id"] == again.json()["id"]
        assert Proposal.objects.count() == RollOutHouse.objects.count() == 1

    @pytest.mark.parametrize(
        ("more", "status"),
        [
            ({"values": {"name": "Ours"}}, 400),
            ({"values": {"idle_after": 0}}, 400),
            ({"values": "idle"}, 400),
            ({"values": {"idle_after": 20}, "currency": "nothing"}, 422),
            ({"values": {}}, 422),
        ],
    )
    def test_what_cannot_be_is_refused(self, more: dict[str, Any], status: int) -> None:
        assert self.sent(chained(1), **more).status_code == status
        assert not Proposal.objects.exists()
