"""Configuration from the environment: variables, the data folder, the secret key, the databases."""

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from casino.engine.processes import paths, private, silence
from casino.engine.processes.queues import broker as broker_address


def env(name: str, default: str = "") -> str:
    return os.environ.get(name, default).strip()


def env_flag(name: str, *, default: bool = False) -> bool:
    given = env(name).lower()
    if given in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
        return given in {"1", "true", "yes", "on"} if given else default
    raise ImproperlyConfigured(f"{name}={given!r}: say 1 or 0.")


def env_number(name: str, default: int) -> int:
    given = env(name, str(default))
    if not given.isdecimal():
        raise ImproperlyConfigured(f"{name}={given!r}: say a number.")
    return int(given)


def env_list(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in env(name, default).split(",") if item.strip()]


def data_folder() -> Path:
    try:
        return paths.data_folder()
    except RuntimeError as unknown:
        raise ImproperlyConfigured(
            "Whoever runs this has no home folder: HOME_THROW_DATA has to name one for the data."
        ) from unknown


PRODUCTION = bool(env("DATABASE_URL"))
DATA_DIR = Path(env("HOME_THROW_DATA") or data_folder() / "data")


def secret_key() -> str:
    """The environment's secret key; embedded, one made at the first start, kept with the data."""
    if given := env("SECRET_KEY"):
        return given
    if PRODUCTION:
        raise ImproperlyConfigured("SECRET_KEY is not set. Production needs one; keep it secret.")
    kept = DATA_DIR / "secret-key"
    try:
        if not kept.exists():
            keep_new_key(kept)
        return kept.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot write to {DATA_DIR}: {error.strerror}. "
            "HOME_THROW_DATA can name another folder."
        ) from error


def keep_new_key(kept: Path) -> None:
    """
    Keep a newly made key. If several processes do this at once, one wins, and none reads half a
    key.
    """
    private.folder(kept.parent)
    own = kept.with_suffix(f".{os.getpid()}")
    own.touch(mode=private.FILE)
    try:
        own.write_text(secrets.token_urlsafe(64))
        with suppress(FileExistsError):
            kept.hardlink_to(own)
    finally:
        own.unlink()


def ledger_origin() -> str:
    """The installation's name in checkpoints. :raises ImproperlyConfigured: if it cannot be one."""
    name = env("LEDGER_ORIGIN", "home-throw.local")
    if not re.fullmatch(r"[!-*,-~]{1,120}", name) or name.endswith("/"):
        raise ImproperlyConfigured(
            f"LEDGER_ORIGIN={name!r}: a name such as dice.example, without spaces and plus."
        )
    return name


# --- The broker ---------------------------------------------------------------------------------


def broker() -> broker_address.Broker:
    """:raises ImproperlyConfigured: if `REDIS_URL` cannot be read."""
    try:
        return broker_address.read(env("REDIS_URL") or "memory://")
    except broker_address.Unreadable as unreadable:
        raise ImproperlyConfigured(f"REDIS_URL: {unreadable}") from None


def queues_by_house(queue: str, variable: str) -> tuple[str, ...]:
    """
    The queues over which houses are spread, so that a worker serves some of them.

    :param variable: says how many.
    :raises ImproperlyConfigured: if it says a number out of bounds.
    """
    number = env_number(variable, 1)
    if not 1 <= number <= broker_address.QUEUES_MOST:
        raise ImproperlyConfigured(f"{variable}={number}: say 1 to {broker_address.QUEUES_MOST}.")
    return broker_address.queue_names(queue, number)


# --- Databases --------------------------------------------------------------------------------

TRANSACTION: Final = "transaction"
POSTGRESQL_PORT: Final = 5432
UNREADABLE: Final = (
    "An address of the database cannot be read: only postgresql:// is known, followed by"
    " role:password@host:port/name, with more hosts after commas, and %-encoded where a password"
    " has other characters than letters and digits."
)
NO_OPTIONS: Final = (
    "options do not pass a pooler in transaction mode. Set them for the role in the database"
    " (ALTER ROLE … SET …)."
)
NEEDS_DIRECT: Final = (
    "also needs DATABASE_DIRECT_URL, the database past the pooler: checks and backups keep a"
    " session."
)

SQLITE_INIT = (
    # For a new file: an event takes a good kilobyte, and only three fit into a page of four.
    "PRAGMA page_size=8192;"
    "PRAGMA journal_mode=WAL;"
    "PRAGMA synchronous=FULL;"
    # Without this, INSERT OR REPLACE deletes a row and no trigger fires.
    "PRAGMA recursive_triggers=ON;"
)


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "casino.engine.databases.sqlite",
        "NAME": path,
        # Each thread keeps its connection: opening one for a request costs eight times as much as a
        # poll.
        "CONN_MAX_AGE": None,
        "TEST": {"NAME": ":memory:"},  # explicit, because test runners go by the backend's name
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 20, "init_command": SQLITE_INIT},
    }


def postgresql(url: str, *, takes: str = "read-write", pooled: bool = False) -> dict[str, Any]:
    """
    Django's settings for an address as libpq has them: it may name several hosts, separated by
    commas, of which the first that is suitable is used.

    :param takes: what makes one of several suitable (``target_session_attrs`` of libpq).
    :param pooled: whether it is the address of a pooler that lends sessions for one transaction.
    :raises ImproperlyConfigured: if the address cannot be read.
    """
    # Not by urlsplit, which takes one host only: an IPv6 address behind another is refused there.
    scheme, found, rest = url.partition("://")
    place = re.split("[/?#]", rest, maxsplit=1)[0]
    login, at, hosts = place.rpartition("@")
    several = hosts.split(",")
    one = f"{scheme}{found}{login}{at}{several[0]}{rest.removeprefix(place)}"
    try:
        known = [(each.hostname, each.port) for each in (urlsplit(f"//{it}") for it in several)]
        parsed = dj_database_url.parse(one, conn_max_age=600, conn_health_checks=True)
    except ValueError:
        # Without the error, which may quote a piece of the password.
        raise ImproperlyConfigured(UNREADABLE) from None
    config: dict[str, Any] = {**parsed}
    if config["ENGINE"] != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL: only postgresql:// is known.")
    config["ENGINE"] = "casino.engine.databases.postgresql"
    given = config.get("OPTIONS", {})
    usual = dict(silence.POSTGRESQL)
    if pooled:
        if "options" in given:
            raise ImproperlyConfigured(f"DATABASE_URL: {NO_OPTIONS}")
        config["POOLER"] = TRANSACTION
        del usual["options"]
    if len(several) > 1:
        usual["target_session_attrs"] = takes
        config["HOST"] = ",".join(host or "" for host, _ in known)
        config["PORT"] = ",".join(str(port or POSTGRESQL_PORT) for _, port in known)
    # Parameters in the address win.
    config["OPTIONS"] = {**usual, **given}
    return config


def pooler() -> str:
    given = env("DATABASE_POOLER").lower()
    if given not in {"", TRANSACTION}:
        raise ImproperlyConfigured(f"DATABASE_POOLER={given!r}: say {TRANSACTION}, or nothing.")
    if given and PRODUCTION and not env("DATABASE_DIRECT_URL"):
        raise ImproperlyConfigured(f"DATABASE_POOLER={given} {NEEDS_DIRECT}")
    return given


def house_database() -> dict[str, Any]:
    if not PRODUCTION:
        return sqlite(DATA_DIR / "house.sqlite3")
    if pooler():
        return postgresql(env("DATABASE_URL"), pooled=True)
    return _lets_go(postgresql(env("DATABASE_URL")))


def direct() -> dict[str, Any] | None:
    """The same database past the pooler; None where there is no pooler."""
    if not PRODUCTION or not pooler():
        return None
    config = _lets_go(postgresql(env("DATABASE_DIRECT_URL")))
    return {**config, "TEST": {"MIRROR": "default"}}


def _lets_go(config: dict[str, Any]) -> dict[str, Any]:
    config["OPTIONS"]["options"] = f"{config['OPTIONS']['options']} {silence.LETS_GO}"
    return config


def reader() -> dict[str, Any]:
    """
    The same database over connections that cannot write, for checks that read while the house
    plays.
    """
    if not PRODUCTION:
        config = sqlite(DATA_DIR / "house.sqlite3")
        deferred = {"transaction_mode": "DEFERRED", "init_command": "PRAGMA query_only=ON;"}
        config["OPTIONS"] |= deferred
    elif env("DATABASE_READER_URL"):  # a replica, or any other database
        config = postgresql(env("DATABASE_READER_URL"), takes="any")
    else:
        # A session that cannot write is no "read-write" one to libpq: it is asked for by the host.
        config = postgresql(env("DATABASE_DIRECT_URL" if pooler() else "DATABASE_URL"))
        options = config["OPTIONS"]
        options["options"] = f"{options['options']} -c default_transaction_read_only=on"
        if options.get("target_session_attrs") == "read-write":
            options["target_session_attrs"] = "primary"
    return {**config, "TEST": {"MIRROR": "default"}}


def replicas() -> dict[str, dict[str, Any]]:
    """
    Streaming standbys of the house's server, by alias; none where no address is given.

    Each may name several hosts, of which one that is a standby is used.
    """
    if not PRODUCTION:
        return {}
    return {
        f"replica-{number}": _replica(url)
        for number, url in enumerate(env("DATABASE_REPLICA_URL").split(), 1)
    }


def _replica(url: str) -> dict[str, Any]:
    config = postgresql(url, takes="standby")
    options = config["OPTIONS"]
    if "options" in options:  # a standby refuses to write by itself; its primary does not
        options["options"] = f"{options['options']} -c default_transaction_read_only=on"
    return {**config, "TEST": {"MIRROR": "default"}}


# --- Bounds of a request: of both web servers, of the application, of every example of a proxy --

BODY_MOST: Final = 262_144  # bytes: 500 commands, or a list as CSV; nothing that is taken is longer
STRANGERS_BODY_MOST: Final = 8_192  # bytes, of whoever has not signed in: they fill in a few fields
FIELDS_MOST: Final = 1_000  # of a form; a chain ticks each of its houses
STRANGERS_FIELDS_MOST: Final = 32  # of whoever has not signed in; the largest of theirs has eight
FILES_MOST: Final = 8  # of a form; none takes more than one
HEAD_MOST: Final = 65_536  # bytes
HEADER_MOST: Final = 8_190  # letters of one header, and of a query; as gunicorn has it
KIND_MOST: Final = 256  # letters of a Content-Type
ESCAPES_MOST: Final = 1_000  # backslashes in cookies
READ_WITHIN: Final = 20.0  # seconds for the whole request, and for a connection to send its first
WRITTEN_WITHIN: Final = 30.0  # seconds until some of an answer is taken
CONNECTIONS: Final = 1_000  # of a process
RATES: Final = {"tokens": "10/min", "ledger": "120/min", "guests": "600/min", "codes": "60/min"}
"""
Per address, in each web process: attempts to sign in; reads that need no sign-in; guests, who may
all come from the one address of the house's own network; a player's own page, by its code.
"""
