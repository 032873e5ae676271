"""Production: by environment alone, as compose.yaml and docs/how-to/production.md say, for real."""

import importlib.util
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
import yaml
from django.core.management import ManagementUtility

from tests import forms, services
from tests.processes import PATIENCE, ROOT, environment, eventually, free_port, get, started, stop

pytestmark = pytest.mark.once  # what meets a database here starts servers of its own
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("web", "worker", "long", "beat", "migrate")
DOCUMENT = (ROOT / "docs" / "how-to" / "production.md").read_text()
SECRET = secrets.token_hex(32)


def manage(*arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT, env=environment(**settings), capture_output=True, text=True, check=False,
    )  # fmt: skip


def known_names() -> set[str]:
    """The variables that the project's own code reads."""
    pattern = re.compile(r'(?:env(?:_flag|_list|_number)?|environ\.get)\(\s*"([A-Z_]+)"')
    files = [
        ROOT / "casino" / name
        for name in (
            "config/environment.py",
            "config/settings.py",
            "config/gunicorn.py",
            "office/monitoring/probe.py",
            "engine/processes/stopping.py",
        )
    ]
    return {name for file in files for name in pattern.findall(file.read_text())}


# --- compose.yaml and the Dockerfile ----------------------------------------------------------


def test_compose_has_the_houses_processes_and_its_two_servers() -> None:
    assert set(SERVICES) == {*OURS, "postgres", "redis"}
    assert all("healthcheck" in SERVICES[name] for name in SERVICES if name != "migrate")


@pytest.mark.parametrize("name", OURS)
def test_a_service_is_given_only_what_the_settings_read(name: str) -> None:
    assert set(SERVICES[name]["environment"]) <= known_names()


@pytest.mark.parametrize("name", OURS)
def test_a_services_commands_are_programs_that_are_there(name: str) -> None:
    commands, utility = [SERVICES[name]["command"]], ManagementUtility(["manage.py"])
    commands += [SERVICES[name]["healthcheck"]["test"]] if "healthcheck" in SERVICES[name] else []
    for command in commands:
        program, *arguments = command.split()
        assert shutil.which(program, path=str(Path(sys.executable).parent)), command
        for module in re.findall(r"\b(?:casino|ledger)(?:\.\w+)+", command):
            assert importlib.util.find_spec(module), command
        if arguments[:1] == ["manage.py"]:
            asked = utility.fetch_command(arguments[1])
            assert asked.create_parser("manage.py", arguments[1]).format_help(), command
            if forms.LONG_FORM:
                assert manage(arguments[1], "--help").returncode == 0, command


def test_only_the_migration_holds_the_owners_password() -> None:
    holding = [name for name in OURS if "DATABASE_OWNER_URL" in SERVICES[name]["environment"]]

    assert holding == ["migrate"]


def test_what_services_depend_on_is_there_and_tells_its_health() -> None:
    for service in SERVICES.values():
        for name, needed in service.get("depends_on", {}).items():
            healthy = needed["condition"] == "service_healthy"
            assert not healthy or "healthcheck" in SERVICES[name]


def test_the_image_copies_files_that_are_there_and_runs_as_nobody_special() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    words = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    where_there = [word.replace("[", "").replace("]", "") for word in words if "[" in word]
    sources = [word for word in words if "[" not in word]

    assert [source for source in sources if not (ROOT / source).exists()] == []
    assert "USER house" in lines
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {each for each in sources + where_there if f"!{each}" not in ignored} == set()


def test_the_image_brings_what_the_wheel_brings_but_the_demo_s_games() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    brought = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = {word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]}

    assert {*brought} - copied == {"tests/transcripts"}


def test_migrations_touch_rows_as_the_tables_owner() -> None:
    """By another connection they would wait for ever for the one that alters the tables."""
    files = [
        file for each in ("casino", "ledger") for file in ROOT.glob(f"{each}/**/migrations/*.py")
    ]
    loose = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if ".objects" in line and ".objects.using(" not in line
    ]

    assert files
    assert not loose


# --- The environment --------------------------------------------------------------------------


def test_every_variable_is_documented() -> None:
    undocumented = {name for name in known_names() if f"`{name}`" not in DOCUMENT}

    assert undocumented == set()


def test_browsers_give_and_take_session_cookies_at_this_host_alone_over_https() -> None:
    """What a browser asks of a name with __Host-: Secure, of the whole host, of no domain."""
    named = "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME"
    rest = ", s.SESSION_COOKIE_SECURE, s.SESSION_COOKIE_PATH, s.SESSION_COOKIE_DOMAIN"
    output = manage(
        "shell", "--no-imports", "--command", f"{named}{rest}, s.SESSION_COOKIE_SAMESITE)",
        DATABASE_URL="postgresql://u:p@127.0.0.1/nowhere", SECRET_KEY=SECRET,
        ALLOWED_HOSTS="house.example", REDIS_URL="redis://127.0.0.1/0",
    )  # fmt: skip

    assert output.stdout.split() == [
        "__Host-sessionid", "__Host-csrftoken", "True", "/", "None", "Lax",
    ], output.stderr  # fmt: skip


@pytest.mark.long  # the test command checks it as well
def test_a_production_check_is_clean() -> None:
    checked = manage(
        "check", "--deploy", "--fail-level", "WARNING",
        DATABASE_URL="postgresql://house@localhost/house", SECRET_KEY=SECRET,
        ALLOWED_HOSTS="house.example",
    )  # fmt: skip

    assert (checked.returncode, checked.stderr) == (0, "")
    assert "no issues" in checked.stdout


# fmt: off
WRONG = [
    ({"DATABASE_URL": "postgresql://house@localhost/house"},        "SECRET_KEY is not set"),
    ({"DATABASE_URL": "mysql://house@localhost/house",
      "SECRET_KEY": SECRET},                                        "only postgresql:// is known"),
    ({"DEBUG": "maybe"},                                            "DEBUG='maybe': say 1 or 0"),
]
# fmt: on


@pytest.mark.parametrize(("settings", "sentence"), WRONG)
def test_a_wrong_environment_is_one_sentence(settings: dict[str, str], sentence: str) -> None:
    refused = manage("check", **settings)

    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


# --- For real ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    """PostgreSQL, as the URL of its superuser, and Redis."""
    with ExitStack() as stack:
        try:
            superuser = stack.enter_context(services.postgresql())
            redis = stack.enter_context(services.redis())
        except services.NotStarted as reason:
            pytest.skip(f"no PostgreSQL or Redis of our own: {reason}")
        yield superuser, redis


@pytest.fixture(scope="module")
def house(servers: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A production environment: both database roles made with the document's SQL, and Redis."""
    superuser, redis = servers
    with psycopg.connect(superuser, autocommit=True) as connection:
        for statement in documented_sql():
            connection.execute(statement.encode())
    at = f"{urlsplit(superuser).hostname}:{urlsplit(superuser).port}"
    return {
        "DATABASE_URL": f"postgresql://home_throw:RUNTIME-PASSWORD@{at}/home_throw",
        "DATABASE_OWNER_URL": f"postgresql://home_throw_owner:OWNER-PASSWORD@{at}/home_throw",
        "REDIS_URL": redis,
        "SECRET_KEY": SECRET,
        "ALLOWED_HOSTS": "house.example",
        "STATIC_ROOT": str(tmp_path_factory.mktemp("static")),
        "WEB_BIND": f"127.0.0.1:{free_port()}",
    }


def documented_sql() -> list[str]:
    """What makes the roles and the database."""
    return statements(r"CREATE ROLE")


def statements(begins: str) -> list[str]:
    """Of the document's one block of SQL that begins so."""
    [block] = re.findall(rf"```sql\n({begins}.*?)```", DOCUMENT, re.DOTALL)
    return [each for each in re.sub(r"--.*", "", block).split(";") if each.strip()]


AS_PROXY = {"Host": "house.example", "X_Forwarded_Proto": "https"}


def prepared(house: dict[str, str]) -> tuple[dict[str, str], int]:
    """The environment of its programs, and the port of its web server."""
    migrated = manage("migrate", "--database", "owner", "--verbosity", "0", **house)
    assert migrated.returncode == 0, migrated.stderr
    assert manage("collectstatic", "--noinput", **house).returncode == 0
    env = environment(**{name: of for name, of in house.items() if name != "DATABASE_OWNER_URL"})
    return env, int(house["WEB_BIND"].rpartition(":")[2])


@pytest.mark.long
@pytest.mark.processes
def test_the_documented_house_comes_up_well(house: dict[str, str], tmp_path: Path) -> None:
    env, port = prepared(house)
    with ExitStack() as stack:
        for name in ("web", "worker", "long", "beat"):
            program, *arguments = SERVICES[name]["command"].split()
            command = (str(Path(sys.executable).parent / program), *arguments)
            stack.enter_context(started(*command, env=env, output=tmp_path / f"{name}.log"))
        log = tmp_path / "web.log"
        eventually(lambda: get(port, "/healthz", **AS_PROXY)[0] == 200, log=log)
        assert get(port, "/sign-in/", **AS_PROXY)[0] == 200
        assert get(port, "/sign-in/", Host="house.example")[0] == 301  # to HTTPS
        for name in ("web", "worker"):
            program, *arguments = SERVICES[name]["healthcheck"]["test"].split()
            result = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=env, check=False)
            assert (program, result.returncode) == ("python", 0), arguments
    assert all(line.startswith("{") for line in log.read_text().splitlines()), log.read_text()


@pytest.mark.long
def test_large_tables_move_to_slower_storage_as_documented(
    servers: tuple[str, str], house: dict[str, str]
) -> None:
    prepared(house)
    make, *moves = statements("CREATE TABLESPACE")
    with psycopg.connect(servers[0], dbname="home_throw", autocommit=True) as connection:
        connection.execute("SET allow_in_place_tablespaces = on")  # no second disk here
        connection.execute(re.sub("LOCATION '.*'", "LOCATION ''", make).encode())
        for each in moves:
            connection.execute(each.encode())
        moved = connection.execute(
            "SELECT count(*) FROM pg_class c JOIN pg_tablespace t ON t.oid = c.reltablespace"
            " WHERE t.spcname = 'slow' AND relnamespace = 'public'::regnamespace"
        ).fetchone()

    assert moved == (len(moves),)


PARTS = 4  # web, both workers, beat
TOGETHER = (sys.executable, "-m", "casino.config.one_parent")


@pytest.mark.long
@pytest.mark.processes
def test_on_one_machine_it_comes_up_from_one_program_and_ends_with_it(
    house: dict[str, str], tmp_path: Path
) -> None:
    env, port = prepared(house)
    metrics = free_port()
    env |= {"METRICS_BIND": f"127.0.0.1:{metrics}"}  # one for all parts
    log = tmp_path / "together.log"
    with started(*TOGETHER, env=env, output=log) as process:
        eventually(lambda: get(port, "/healthz", **AS_PROXY)[0] == 200, process, log)
        assert get(port, "/sign-in/", **AS_PROXY)[0] == 200
        assert get(metrics, "/metrics")[0] == 200
        assert get(metrics, "/metrics/installation")[0] == 200
        parts = children(process.pid)
        assert len(parts) == PARTS
        status, _seconds = stop(process, signal.SIGTERM)

    assert status == 0, log.read_text()
    assert not [part for part in parts if Path(f"/proc/{part}").exists()]


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.parametrize("part", range(PARTS))
def test_a_part_that_dies_takes_the_others_with_it(
    house: dict[str, str], tmp_path: Path, part: int
) -> None:
    env, port = prepared(house)
    log = tmp_path / "together.log"
    with started(*TOGETHER, env=env, output=log) as process:
        eventually(lambda: get(port, "/healthz", **AS_PROXY)[0] == 200, process, log)
        parts = children(process.pid)
        os.kill(parts[part], signal.SIGKILL)
        assert process.wait(PATIENCE) == 1

    assert not [each for each in parts if Path(f"/proc/{each}").exists()]


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return sorted(int(child) for child in found.split())
