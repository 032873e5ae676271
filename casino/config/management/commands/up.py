"""``manage.py up``: the whole house in one process, until Ctrl-C."""

from __future__ import annotations

import logging
import signal
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError, connection

from casino.attendants.models import Attendant
from casino.config import embedded
from casino.config.wsgi import application
from casino.onboarding import links
from casino.platform import data_lock, migrated, versions
from casino.platform.storage_failure import SAYS
from casino.sign_in import demo_staff as staff
from ledger.storage import ailment

if TYPE_CHECKING:
    from argparse import ArgumentParser

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Run the house: web server, worker and beat in this one process, on SQLite."
    requires_system_checks = ()  # the tests run these checks; here they would slow down every start

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default 8000")
        parser.add_argument("--lan", action="store_true", help="let other devices connect")
        parser.add_argument(
            "--demo", action="store_true", help="with --lan: to the demo house, too"
        )
        parser.add_argument("--empty", action="store_true", help="a new demo house plays no games")

    def handle(self, *, port: int, lan: bool, demo: bool, empty: bool, **_options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError(
                "DATABASE_URL is set: in production web, worker and beat run each on their own, "
                "as docs/how-to/production.md says. Without it this command runs the house on "
                "SQLite."
            )
        # Both signals unwind like Ctrl-C: the with blocks below stop what they started. A shell
        # that starts a program in the background makes it ignore SIGINT; this line undoes that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            self.serve(port, lan=lan, demo=demo, empty=empty)
        except (data_lock.StartRefused, embedded.PartDied) as reason:
            raise CommandError(str(reason)) from reason
        except (OSError, DatabaseError) as failure:
            raise CommandError(cannot_write(failure)) from failure
        except KeyboardInterrupt:
            return

    def serve(self, port: int, *, lan: bool, demo: bool, empty: bool) -> None:
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
                kept_in()
            elif not Attendant.objects.exists():  # a database with people in it is somebody's own
                staff.COMING.set()
            self.say(address, [f"http://{name}:{server.effective_port}/" for name in names])
            background = embedded.Background()
            plays_at = address if staff.COMING.is_set() and not empty else None
            rest = background.start("house", lambda: start_background(served, background, plays_at))
            server.run()
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


def kept_in() -> None:
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
    elif (found := ailment(failure)) is not None:
        reason = f"{failure}. {SAYS[found].rstrip('.')}"
    else:
        raise failure
    return (
        f"Cannot write to {settings.DATA_DIR}: {reason}. HOME_THROW_DATA can name another folder."
    )


def migrate() -> None:
    """Migrate the database; one of another version is refused."""
    applied, known = migrated.applied(connection), migrated.on_disk()
    if reason := versions.refusal(connection, applied, known):
        raise data_lock.StartRefused(reason)
    if not known <= applied:
        call_command("migrate", verbosity=0, interactive=False)


def start_background(
    served: embedded.Served, background: embedded.Background, plays_at: str | None
) -> None:
    """
    Start what the first page does not need: the demo house, worker and beat, the demo's games.

    The worker starts after people exist: once /healthz is well, they can sign in.
    """
    served.first_page()
    if background.stopping.is_set():
        return
    if staff.COMING.is_set():
        make_demo()
    from casino.config import embedded_worker  # noqa: PLC0415 - Celery's half, after the first page

    with embedded_worker.worker_and_beat(background):
        if plays_at:
            closing = background.stopping
            Thread(target=play_written, args=(plays_at, closing), daemon=True).start()
        background.stopping.wait()


def make_demo() -> bool:
    """Make the demo house, unless there is one. Return whether it was made."""
    from casino.demo import house  # noqa: PLC0415 - only a first start makes one

    try:
        return house.made()
    finally:
        staff.COMING.clear()


def play_written(address: str, closing: Event) -> None:
    """Play the first games of a new demo house, so that its pages have something to show."""
    from casino.demo import play  # noqa: PLC0415 - only a first start plays

    for reason in play.all_written(address, closing.is_set):
        if not closing.is_set():
            log.warning("The demo's written games were not played to the end: %s", reason)


def sign_ins() -> list[str]:
    if not staff.COMING.is_set() and not staff.exists():
        return []
    width = max(len(person.username) for person in staff.STAFF)
    people = [f"    {person.username:{width}}  {person.role.label}" for person in staff.STAFF]
    return [f"  Sign in to {staff.NAME} with the password {staff.PASSWORD} as", *people, ""]
