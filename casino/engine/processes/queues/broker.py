"""
The broker: its address, one Redis or several that Sentinel watches over; and the queues on it.

``redis://:password@host:6379/0`` and ``rediss://…`` are as Redis's client and kombu have them. With
Sentinel each of the sentinels is named, and the master that they watch:

    sentinel://:password@one:26379;two:26379;three:26379/0?master_name=house

``sentinel://`` may be repeated in front of each, as kombu writes it. User and password are those of
the Redis servers. ``sentinel_username`` and ``sentinel_password`` are those of the sentinels, if
they ask for any. ``ssl_cert_reqs`` (``required``, ``optional`` or ``none``) turns TLS on for all of
them; ``ssl_ca_certs``, ``ssl_certfile`` and ``ssl_keyfile`` are files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from casino.engine.processes import silence

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from redis import Redis

SENTINEL: Final = "sentinel"
SCHEMES: Final = ("redis", "rediss", SENTINEL, "memory")
PORT: Final = 26379
DATABASES: Final = 16
TLS: Final = ("ssl_cert_reqs", "ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
KNOWN: Final = ("master_name", "sentinel_username", "sentinel_password", *TLS)


class Unreadable(ValueError):  # noqa: N818 - names the fact
    """The address cannot be read. The message quotes no part that may hold a password."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """
    :param celery: the address as Celery has it: with Sentinel one for each, joined by semicolons.
    :param sentinels: host and port of each; none where there is one Redis.
    :param master: the name under which the sentinels know the servers.
    :param login: user and password of the servers, as their client takes them.
    :param of_sentinels: everything that a connection to a sentinel needs.
    :param tls: certificates, if connections are encrypted.
    """

    celery: str
    sentinels: tuple[tuple[str, int], ...] = ()
    master: str = ""
    database: int = 0
    login: Mapping[str, str] = field(default_factory=dict)
    of_sentinels: Mapping[str, Any] = field(default_factory=dict)
    tls: Mapping[str, str] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Any]:
        """What Celery needs beside the address, as options of its transport."""
        if not self.sentinels:
            return {}
        return {"master_name": self.master, "sentinel_kwargs": dict(self.of_sentinels)}

    def client(self) -> Redis:
        """A client of the server, with Sentinel of whichever is the master at each connection."""
        from redis import Redis  # noqa: PLC0415 - an embedded house has none

        if not self.sentinels:
            return Redis.from_url(self.celery, **silence.BROKER)
        from redis import sentinel  # noqa: PLC0415

        encrypted = {"ssl": True, **self.tls} if self.tls else {}
        watching: Any = sentinel.Sentinel(  # type: ignore[no-untyped-call]  # published without types
            self.sentinels,
            sentinel_kwargs=dict(self.of_sentinels),
            db=self.database,
            **self.login,
            **encrypted,
            **silence.BROKER,
        )
        client: Redis = watching.master_for(self.master)
        return client


def read(address: str) -> Broker:
    """:raises Unreadable: if it is no address of a broker; says what is missing."""
    scheme, found, rest = address.partition("://")
    if not found or scheme not in SCHEMES:
        raise Unreadable("only redis://, rediss:// and sentinel:// are known.")
    if scheme != SENTINEL:
        return Broker(celery=address)
    try:
        return _sentinels(rest)
    except Unreadable:
        raise
    except ValueError:
        raise Unreadable(
            "an address of sentinels cannot be read. It goes"
            " sentinel://:password@host:port;host:port/0?master_name=…, %-encoded where a password"
            " has other characters than letters and digits."
        ) from None


def _sentinels(rest: str) -> Broker:
    pieces = [each.removeprefix(f"{SENTINEL}://") for each in rest.split(";")]
    # Path and options may follow any of them; kombu's own spelling has them behind the last.
    parts = [urlsplit(f"//{each}") for each in pieces if each]
    options = dict(pair for each in parts for pair in parse_qsl(each.query))
    if unknown := sorted(options.keys() - set(KNOWN)):
        raise Unreadable(f"{unknown[0]} is not known here. Known are {', '.join(KNOWN)}.")
    if not options.get("master_name"):
        raise Unreadable("sentinels have to be asked for a master: add ?master_name=…")
    paths = {each.path.strip("/") for each in parts} - {""}
    database = int(paths.pop()) if paths else 0
    if paths or not 0 <= database < DATABASES:
        raise Unreadable(f"one number of a database, 0 to {DATABASES - 1}, follows the hosts.")
    users = next((each for each in parts if each.password or each.username), parts[0])
    names = {"username": users.username, "password": users.password}
    tls: dict[str, str] = {name: options[name] for name in TLS if name in options}
    if tls:
        tls.setdefault("ssl_cert_reqs", "required")
    own = {"username": "sentinel_username", "password": "sentinel_password"}
    hosts = tuple((each.hostname or "", each.port or PORT) for each in parts)
    if not all(host for host, _ in hosts):
        raise Unreadable("a sentinel has no host.")
    login = users.netloc.rpartition("@")[0]
    return Broker(
        celery=";".join(
            f"{SENTINEL}://{login}{'@' if login else ''}{_spell_host(host)}:{port}/{database}"
            for host, port in hosts
        ),
        sentinels=hosts,
        master=options["master_name"],
        database=database,
        login={name: unquote(of) for name, of in names.items() if of},
        of_sentinels={
            **silence.BROKER,
            **{name: options[of] for name, of in own.items() if of in options},
            **({"ssl": True, **tls} if tls else {}),
        },
        tls=tls,
    )


def _spell_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# Queues by house: on which of several queues the wakes of a house go.
#
# By jump consistent hashing (Lamping and Veach, 2014): with one queue more, one in so many houses
# goes to the new one, and no other house moves. Whoever sends and whoever works knows the number of
# queues from the settings. If they differ for a while, a house is woken on two queues, which does
# nothing twice (docs/decisions/0060).


QUEUES_MOST: Final = 64
"""Queues of one kind of work. Those above the number that is set are looked at for leftovers."""
BITS: Final = (1 << 64) - 1
MULTIPLIER: Final = 2_862_933_555_777_941_757


def queue_names(queue: str, number: int) -> tuple[str, ...]:
    """The queues: the first has the plain name, as if there were no other; then ``play-2``, …"""
    return (queue, *(f"{queue}-{place}" for place in range(2, number + 1)))


def place_among_queues(house: UUID, number: int) -> int:
    """The place of a house among so many queues, from 0."""
    key, found, following = house.int & BITS, 0, 0
    while following < number:
        found = following
        key = (key * MULTIPLIER + 1) & BITS
        following = int((found + 1) * (1 << 31) / ((key >> 33) + 1))
    return found
