"""``manage.py up``: the whole house in one process, until Ctrl-C."""

from __future__ import annotations

import logging
import signal
import threading
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from casino import embedded, versions
from casino.attendants.models import Attendant
from casino.demo import house, play
from casino.demo.client import Unanswered
from casino.establishments import setup
from casino.storage import SAYS
from casino.wsgi import application
from ledger.storage import ailment

if TYPE_CHECKING:
    from argparse import ArgumentParser

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Run the house: web server, worker and beat in this one process, on SQLite."
    requires_system_checks = ()  # the tests run them; each start would pay for them

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default 8000")
        parser.add_argument("--lan", action="store_true", help="let other devices connect")
        parser.add_argument("--empty", action="store_true", help="a new demo house plays no games")

    def handle(self, *, port: int, lan: bool, empty: bool, **_options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError(
                "DATABASE_URL is set: in production web, worker and beat run each on their own, "
                "as docs/production.md says. Without it this command runs the house on SQLite."
            )
        # Either signal unwinds like Ctrl-C: the with blocks below stop what they started. A shell
        # that starts a program in the background has it ignore SIGINT; not this one.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            self.serve(port, lan=lan, empty=empty)
        except (embedded.StartRefused, embedded.PartDied) as reason:
            raise CommandError(str(reason)) from reason
        except (OSError, DatabaseError) as failure:
            raise CommandError(cannot_write(failure)) from failure
        except KeyboardInterrupt:
            return

    def serve(self, port: int, *, lan: bool, empty: bool) -> None:
        """Run until a signal comes."""
        names = embedded.names_on_the_lan() if lan else []
        settings.ALLOWED_HOSTS += names
        with embedded.alone_with(settings.DATA_DIR) as lock:
            server = embedded.listen("0.0.0.0" if lan else "127.0.0.1", port, application)  # noqa: S104
            address = f"http://127.0.0.1:{server.effective_port}/"
            print(address, end="", file=lock, flush=True)
            migrate()
            with embedded.worker_and_beat():
                closing = threading.Event()
                # Over HTTP like everybody, so the server answers first.
                if make_demo() and not empty:
                    threading.Thread(
                        target=play_written, args=(address, closing), daemon=True
                    ).start()
                self.say(address, [f"http://{name}:{server.effective_port}/" for name in names])
                server.run()
                closing.set()
                server.close()
                self.stdout.write("\nStopping ...")

    def say(self, address: str, others: list[str]) -> None:
        lines = [
            "",
            f"  Home Throw runs at {address}",
            *(f"  on the network also at {other}" for other in others),
            "",
            *sign_ins(),
            f"  Set up a house of your own at {setup.address(address)}",
            f"  Everything is kept in {settings.DATA_DIR.resolve()}",
            "  Ctrl-C stops everything; started again, it goes on where it was.",
            "",
        ]
        self.stdout.write("\n".join(lines))
        self.stdout.flush()


def cannot_write(failure: OSError | DatabaseError) -> str:
    """The sentence for a disk that is full or read-only. What is none of that is raised on."""
    if isinstance(failure, OSError):
        reason = failure.strerror
    elif (found := ailment(failure)) is not None:
        reason = f"{failure}. {SAYS[found].rstrip('.')}"
    else:
        raise failure
    return (
        f"Cannot write to {settings.DATA_DIR}: {reason}. HOME_THROW_DATA can name another folder."
    )


def migrate() -> None:
    """Bring the tables up to date. To see that they are takes a tenth of what `migrate` takes."""
    executor = MigrationExecutor(connection)
    loader = executor.loader
    if reason := versions.refusal(connection, loader.applied_migrations, loader.disk_migrations):
        raise embedded.StartRefused(reason)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", verbosity=0, interactive=False)


def make_demo() -> bool:
    """A new database gets the demo house; one with people in it is somebody's own."""
    if Attendant.objects.exists():
        return False
    return house.made()


def play_written(address: str, closing: threading.Event) -> None:
    """The first games of a new demo house, so that its pages have something to show."""
    try:
        demo = play.House(address)
        _written(demo, closing)
        for _ in play.acknowledge(demo):
            if closing.is_set():
                return
    except Unanswered as reason:
        _say_why(reason, closing)


def _written(demo: play.House, closing: threading.Event) -> None:
    """Whatever is played of them, the alarms that it raises are acknowledged afterwards."""
    try:
        for _ in chain(play.written(demo), play.first_evening(demo)):
            if closing.is_set():
                return
    except Unanswered as reason:
        _say_why(reason, closing)


def _say_why(reason: Unanswered, closing: threading.Event) -> None:
    if not closing.is_set():
        log.warning("The demo's written games were not played to the end: %s", reason)


def sign_ins() -> list[str]:
    if not house.exists():
        return []
    width = max(len(person.username) for person in house.STAFF)
    people = [f"    {person.username:{width}}  {person.role.label}" for person in house.STAFF]
    return [f"  Sign in to {house.NAME} with the password {house.PASSWORD} as", *people, ""]
