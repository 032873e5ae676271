"""Rows are compared with a replay while the house plays on, and nothing is written."""

from __future__ import annotations

from threading import Event as Signal
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts.game_streams import loading
from casino.house.attendants.pseudonyms.models import Player
from casino.house.establishments.models import Table
from casino.play.core.projections import PROJECTIONS
from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from casino.proof.verification import rebuild
from casino.proof.verification.shadow import NotShadowed
from ledger import install, subscriptions
from tests.forms import LONG_FORM
from tests.support import builders, full_house
from tests.support.on_citus import ON_CITUS
from tests.support.playing import opened, round_played, settled
from tests.support.rebuilt import contents, found, reads_more, with_a_round_lost

if TYPE_CHECKING:
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _before_all_else(own_file: object) -> None:
    del own_file


@pytest.fixture
def house() -> House:
    return with_a_round_lost()


class TestWithoutTouching:
    @pytest.mark.long("postgresql", but="citus")
    def test_nothing_real_is_written(self) -> None:
        house = full_house.house()
        before = contents()

        assert found(house) == []

        assert contents() == before

    def test_the_house_plays_on_meanwhile(self) -> None:
        house = builders.house()
        game = opened(house, players=["Ada", "Bo"], stake=500)
        round_played(house, game)
        settled(house)
        enough, played, looks = Signal(), [], 1

        def plays() -> None:
            try:
                while not enough.is_set():
                    played.append(round_played(house, game).position)
                    for subscriber in SUBSCRIBERS:
                        subscriptions.advance(subscriber, establishment=house.id)
            finally:
                connection.close()

        playing = Thread(target=plays)
        playing.start()
        try:
            differing = found(house)
            while playing.is_alive() and (len(played) <= 2 or (LONG_FORM and looks < 3)):
                differing += found(house)
                looks += 1
        finally:
            enough.set()
            playing.join()

        assert differing == []
        assert len(played) > 2

    def test_what_a_handler_writes_and_does_not_declare_is_not_written(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def renames(event: StoredEvent) -> None:
            Table.objects.filter(establishment=event.establishment).update(name="Nobody's")

        reads_more(monkeypatch, renames)
        before = contents()

        with pytest.raises(NotShadowed, match="house writes what it does not declare"):
            found(house, HOUSE)

        assert contents() == before

    @pytest.mark.long("postgresql")
    def test_what_keeps_no_rows_is_not_done_again(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rung: list[int] = []
        area = house_subscriber.Area("bell", lambda event: rung.append(event.position), rows=())
        read = [*house_subscriber.areas(), area]
        monkeypatch.setattr(house_subscriber, "areas", lambda: read)

        assert found(house, HOUSE) == []
        assert rung == []

    @pytest.mark.long("postgresql")
    def test_a_name_that_an_event_erases_is_not_erased_by_looking(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What an area changes apart from its rows is shadowed, too."""

        def erases(event: StoredEvent) -> None:
            Player.objects.filter(establishment=event.establishment).update(name=None)

        reads_more(monkeypatch, erases)

        assert found(house, HOUSE) == []
        assert not Player.objects.filter(establishment=house.id, name=None).exists()

    def test_ended_at_any_moment_it_leaves_nothing(self, house: House) -> None:
        own, before = connection.connection, contents()
        with connection.cursor() as cursor:
            tables = connection.introspection.table_names(cursor)

        class Ended(BaseException):
            """As a process is told to end."""

        def ends(_done: int, _of: int) -> None:
            raise Ended

        with pytest.raises(Ended):
            rebuild.compare(house.id, PROJECTIONS, ends)

        assert connection.connection is own
        assert contents() == before
        assert connection.introspection.table_names() == tables

    @pytest.mark.long("postgresql")
    def test_what_this_process_remembers_of_games_is_not_asked(self, house: House) -> None:
        key = next(iter(loading.MEMORY._games))
        forged = loading.Loaded(key, *(None,) * 5)  # type: ignore[arg-type]
        with loading.MEMORY._lock:
            loading.MEMORY._games[key] = forged
        try:
            assert found(house, PROJECTIONS) == []
            # A check has a session of its own, and with each new one games are forgotten.
            assert loading.MEMORY._games.get(key, forged) is forged
        finally:
            loading.MEMORY.forget()

    @pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no roles")
    def test_the_role_that_runs_a_house_may_do_it(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        role = f"{connection.settings_dict['NAME']}_runtime"
        with connection.cursor() as cursor:
            # Servers of a cluster go to each other as the role that asks.
            cursor.execute(f'CREATE ROLE "{role}" {"LOGIN" if ON_CITUS else "NOLOGIN"}')
        try:
            install.grant(connection, role)
            monkeypatch.setitem(connection.settings_dict["OPTIONS"], "assume_role", role)
            assert found(house) == []
        finally:
            monkeypatch.undo()
            with connection.cursor() as cursor:
                cursor.execute(f'DROP OWNED BY "{role}"')
                cursor.execute(f'DROP ROLE "{role}"')
