"""``manage.py up``: the whole house in one process, until Ctrl-C."""

from __future__ import annotations

import logging
import signal
import sys
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, connection, connections

from casino.config import embedded
from casino.config.wsgi import application
from casino.engine.databases import migrated
from casino.engine.databases.guards import WRITTEN_ONCE
from casino.engine.databases.storage_failure import SAYS
from casino.engine.processes import data_lock, stopping
from casino.house.attendants.models import Attendant
from casino.office.onboarding import links
from casino.settings.staff.sign_in import demo_staff as staff
from ledger import install
from ledger.storage import Unguarded, storage_fault

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable
    from types import FrameType

AGAIN_AFTER = 6.0  # seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """
    How the demo house starts.

    :param quiet: no table plays by itself. :param empty: a new one has no past.
    """

    quiet: bool
    empty: bool


class Command(BaseCommand):
    help = "Run the house: web server, worker and beat in this one process, on SQLite."
    requires_system_checks = ()  # the tests run these checks; here they would slow down every start

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default 8000")
        parser.add_argument("--lan", action="store_true", help="let other devices connect")
        parser.add_argument(
            "--demo", action="store_true", help="with --lan: to the demo house, too"
        )
        parser.add_argument(
            "--quiet", action="store_true", help="no table of the demo house plays by itself"
        )
        parser.add_argument(
            "--empty", action="store_true", help="a demo house without a past, and quiet"
        )

    def handle(
        self, *, port: int, lan: bool, demo: bool, quiet: bool, empty: bool, **_options: Any
    ) -> None:
        if settings.PRODUCTION:
            raise CommandError(
                "DATABASE_URL is set: in production web, worker and beat run each on their own, "
                "as docs/how-to/production.md says. Without it this command runs the house on "
                "SQLite."
            )
        # Both signals unwind like Ctrl-C: the with blocks below stop what they started. A shell
        # that starts a program in the background makes it ignore SIGINT; this line undoes that.
        for each in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(each, stop)
        if settings.METRICS_BIND:
            from casino.office.monitoring import exporter  # noqa: PLC0415 - only who is asked for metrics

            exporter.begin(settings.METRICS_BIND, forks=False)
        try:
            self.serve(port, lan=lan, demo=demo, how=Demo(quiet=quiet or empty, empty=empty))
        except (data_lock.StartRefused, embedded.PartDied) as reason:
            raise CommandError(str(reason)) from reason
        except (OSError, DatabaseError) as failure:
            raise CommandError(cannot_write(failure)) from failure
        except KeyboardInterrupt:
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def serve(self, port: int, *, lan: bool, demo: bool, how: Demo) -> None:
        """Serve until a signal comes."""
        names = embedded.names_on_the_lan() if lan else []
        settings.ALLOWED_HOSTS += names
        with data_lock.alone_with(settings.DATA_DIR) as lock:
            served = embedded.Served(application)
            server = embedded.listen("0.0.0.0" if lan else "127.0.0.1", port, served)  # noqa: S104
            address = f"http://127.0.0.1:{server.effective_port}/"
            print(address, end="", file=lock, flush=True)
            migrate()
            if lan and not demo:
                check_passwords_stay_here()
            elif not Attendant.objects.exists():  # a database with people in it is somebody's own
                staff.COMING.set()
            self.say(address, [f"http://{name}:{server.effective_port}/" for name in names])
            background = embedded.Background()
            rest = background.start(
                "house", lambda: start_background(served, background, address, how)
            )
            server.run()
            signal.setitimer(signal.ITIMER_REAL, 0)
            server.close()
            self.stdout.write("\nStopping ...")
            background.stop(rest)

    def say(self, address: str, others: list[str]) -> None:
        lines = [
            "",
            f"  Home Throw runs at {address}",
            *(f"  on the network also at {other}" for other in others),
            "",
            *sign_ins(),
            f"  Set up a house of your own at {links.address(address)}",
            f"  Everything is kept in {settings.DATA_DIR.resolve()}",
            "  Ctrl-C stops everything; started again, it goes on where it was.",
            "",
        ]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def stop(number: int, frame: FrameType | None) -> None:
    """
    Unwind to the end.

    Python drops an exception that meets it in a callback of the garbage collector, so the signal is
    sent again until somebody has caught it; waitress needs five seconds for that at most.
    """
    if number != signal.SIGALRM:
        stopping.exit_within(3 * embedded.STOPS_WITHIN)
    signal.setitimer(signal.ITIMER_REAL, AGAIN_AFTER)
    signal.default_int_handler(number, frame)


def check_passwords_stay_here() -> None:
    """
    Refuse to listen to other machines while passwords that are printed would let people in.

    :raises StartRefused: if there are people whose password is printed.
    """
    if people := staff.that_anybody_may_be():
        raise data_lock.StartRefused(
            f"The password of {', '.join(people)} is printed at every start: whoever is on the "
            f"network could sign in to {staff.NAME}. To let them, start with --lan --demo."
        )


def cannot_write(failure: OSError | DatabaseError) -> str:
    """The sentence for a disk that is full or read-only. Any other failure is raised again."""
    if isinstance(failure, OSError):
        reason = failure.strerror
    elif isinstance(failure, Unguarded):
        return str(failure)
    elif (found := storage_fault(failure)) is not None:
        reason = f"{failure}. {SAYS[found].rstrip('.')}"
    else:
        raise failure
    return (
        f"Cannot write to {settings.DATA_DIR}: {reason}. HOME_THROW_DATA can name another folder."
    )


def migrate() -> None:
    """
    Migrate the database; one of another version is refused. Triggers that are missing are said
    first; the rest of the guards is compared by the verification that the worker begins with.
    """
    applied, known = migrated.migrations_had(connection), migrated.on_disk()
    if reason := migrated.refusal_of_database(connection, applied, known):
        raise data_lock.StartRefused(reason)
    if not known <= applied:
        call_command("migrate", verbosity=0, interactive=False)
    elif absent := missing_triggers():
        sys.stderr.write(
            f"! The database lacks triggers: {', '.join(absent)}. Find out who took them away. Then"
            " run manage.py migrate, which keeps that they were missing and puts them back.\n"
        )


def missing_triggers() -> list[str]:
    """Names of triggers that are absent; none while ``manage.py migrate`` may be making them."""
    with migrated.no_migration(connection) as is_still:
        return absent_triggers() if is_still else []


def absent_triggers() -> list[str]:
    others = [name for each in WRITTEN_ONCE for name in each.missing(connection)]
    return install.missing(connection) + others


def start_background(
    served: embedded.Served, background: embedded.Background, address: str, how: Demo
) -> None:
    """
    Start what the first page does not need: the demo house, worker and beat, the demo's games.

    The worker starts after people exist: once /healthz is well, they can sign in.
    """
    served.first_page()
    if background.stopping.is_set():
        return
    is_new = staff.COMING.is_set()
    if is_new and not how.empty:
        import_past(background.stopping)
    elif is_new:
        make_demo()
    if background.stopping.is_set():
        return
    from casino.config import embedded_worker  # noqa: PLC0415 - Celery's half, after the first page

    if settings.METRICS_BIND:
        from casino.office.monitoring import exporter  # noqa: PLC0415 - only who is asked for metrics

        exporter.serve()
    with embedded_worker.worker_and_beat(background):
        if not how.quiet and (is_new or staff.exists()):
            plays = (address, served.is_looked_at, background.stopping)
            Thread(target=play_on, args=plays, kwargs={"first": is_new}, daemon=True).start()
        background.stopping.wait()


def make_demo() -> bool:
    """Make the demo house, unless there is one. Return whether it was made."""
    from casino.demo import house  # noqa: PLC0415 - only a first start makes one

    try:
        return house.make_house()
    finally:
        staff.COMING.clear()


def import_past(stopping: Event) -> None:
    """
    Import the demo house with its past, and let its screens read it; people may sign in before.

    A demo house without a past is made instead if the past cannot be imported.
    """
    from casino.demo import past  # noqa: PLC0415 - only a first start imports it

    try:
        house = past.import_while_serving(stopping.is_set)
    except past.NOT_IMPORTED as reason:
        log.warning("The demo house has no past: %s", reason)
        make_demo()
        return
    finally:
        staff.COMING.clear()
    if house is not None:
        past.read_while_serving(house, stopping.is_set)


def play_on(address: str, looks: Callable[[], bool], closing: Event, *, first: bool) -> None:
    """Let tables of the demo house play; a new one plays each game once at first."""
    from casino.demo import self_play  # noqa: PLC0415 - many houses have no demo

    plays = self_play.SelfPlay(address=address, looks=looks, closing=closing)
    try:
        if first:
            plays.first_games()
        plays.run()
    finally:
        connections.close_all()


def sign_ins() -> list[str]:
    if not staff.COMING.is_set() and not staff.exists():
        return []
    width = max(len(person.username) for person in staff.STAFF)
    people = [f"    {person.username:{width}}  {person.role.label}" for person in staff.STAFF]
    return [f"  Sign in to {staff.NAME} with the password {staff.PASSWORD} as", *people, ""]
