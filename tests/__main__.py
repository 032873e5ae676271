"""
``python -m tests``: every check, then the suite on SQLite and again on PostgreSQL and Redis.

``--all`` takes the long form instead of the short one (tests/forms.py, docs/how-to/testing.md).

All steps run even if one failed; the status is 1 if any did. The last lines name what this machine
could not run and why; with ``CI`` or ``HOME_THROW_COMPLETE`` set that is a failure, too.

With further arguments, pytest alone gets them, once, on SQLite or on a ``DATABASE_URL`` that is
given: the quick way round while working.
"""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

from casino.office.dashboard import controls
from tests import chromium, forms, services, template
from tests.outcome import Outcome
from tests.scale.citus import build, cluster

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = Path(sys.executable).parent
# Three quarters of a minute on one core: it runs beside the other checks and the tests on SQLite,
# and is told after those.
TYPES = "mypy"
CHECKS = {
    # Of PostgreSQL: its suite gets the files that have tests there, which are less than half.
    # It also compiles what the processes that run the tests would compile at the same time.
    "collection": "python -m pytest --collect-only -qqq -p no:cacheprovider -p no:xdist",
    "lint": "ruff check .",
    "format": "ruff format --check .",
    "imports": "lint-imports --no-logo",
    "migrations": "python manage.py makemigrations --check --dry-run",
    "system check": "python manage.py check",
    "production check": "python manage.py check --deploy --fail-level WARNING",
    "static files": "python manage.py collectstatic --noinput --verbosity 0",
}
IN_PRODUCTION = ("collection", "production check", "static files")
# Given for the tests, these are used instead of servers of our own.
SERVERS = ("DATABASE_URL", "REDIS_URL")
OF_A_HOUSE = (
    *SERVERS,
    *("DATABASE_OWNER_URL", "SECRET_KEY", "ALLOWED_HOSTS", "SSL_REDIRECT", "DEBUG", "LOG_LEVEL"),
)
# Tests speak plain HTTP and read failures, not the log.
FOR_TESTS = {"SSL_REDIRECT": "0", "LOG_LEVEL": "WARNING"}
WORKERS = max(2, min(4, os.cpu_count() or 2))

# Per cent of lines and branches that the long form went through on SQLite when it was first
# measured. Of what runs in processes of its own nothing is counted.
COVERED = 95.2
COVERAGE = ("--cov", "--cov-report=", f"--cov-fail-under={COVERED}")

ALONE = "tests/scale/citus"
"""Servers die in these tests: nobody else may need them meanwhile."""
IN_PARTITIONS = (
    *(
        "tests/money/accounts",
        "tests/proof/integrity",
        "tests/ledger",
        "tests/house/acts",
        "tests/money/payouts",
    ),
    *(
        "tests/play/core",
        "tests/proof/proofs",
        "tests/proof/search",
        "tests/play/settlement",
        "tests/play/subscriptions",
    ),
)
"""
Rooms whose tests run with tables in partitions, too; tests/scale/partitions makes them itself.
"""

Environment = dict[str, str]
Checked = tuple["subprocess.CompletedProcess[str]", float]
"""What a check said, and how many seconds it took."""
Server = Callable[[], AbstractContextManager[str]]


def main(arguments: Sequence[str]) -> int:
    outcome = Outcome()
    with tempfile.TemporaryDirectory(prefix="home-throw-tests-") as folder:
        plain = surroundings(Path(folder))
        if arguments[:1] == ["--all"]:
            plain[forms.VARIABLE] = forms.ALL
            arguments = arguments[1:]
        if arguments:
            return pytest("tests", as_given(plain), arguments)
        with ExitStack() as stack:
            pool = stack.enter_context(ThreadPoolExecutor(3))
            types = pool.submit(check, TYPES, plain)
            embedded, production_like = run_checks(pool, plain, outcome, stack)
            options = COVERAGE if forms.VARIABLE in plain else ()
            suite("tests on SQLite", embedded, outcome, *options)
            tell("types", TYPES, types, outcome)
            if production_like:
                at = collection(plain)
                files = [f"@{at}"] if at.exists() else []  # else pytest looks in all of them
                suite("tests on PostgreSQL and Redis", production_like, outcome, *files)
                if forms.VARIABLE in plain:
                    in_partitions(production_like, outcome)
        if forms.VARIABLE in plain:
            on_citus(plain, outcome)
    leave_what_was_shown(outcome)
    return close(outcome)


def surroundings(folder: Path) -> Environment:
    """The environment of an embedded house with nothing in it, whatever the caller's is."""
    left_out = (*OF_A_HOUSE, "PYTHONDONTWRITEBYTECODE", template.VARIABLE)
    kept = {name: value for name, value in os.environ.items() if name not in left_out}
    (folder / "static").mkdir()  # a house that finds none warns of it
    return {
        **kept,
        "HOME_THROW_DATA": str(folder / "data"),
        "STATIC_ROOT": str(folder / "static"),
        "CHROMIUM": chromium.find() or "",
        # Hundreds of processes are started: what one of them has compiled the next ones read.
        "PYTHONPYCACHEPREFIX": str(Path(sys.prefix) / "bytecode"),
        "PYTHONUNBUFFERED": "1",
    }


def production(plain: Environment, addresses: Mapping[str, str]) -> Environment:
    return {
        **plain,
        **addresses,
        "SECRET_KEY": secrets.token_hex(32),
        "ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
    }


def as_given(plain: Environment) -> Environment:
    """SQLite, or the servers that the caller names; static files then have hashed names, too."""
    given = {name: os.environ[name] for name in SERVERS if os.environ.get(name)}
    if "DATABASE_URL" not in given:
        return {**plain, **given}
    env = {**production(plain, given), **FOR_TESTS}
    check(CHECKS["static files"], env)
    return env


def in_partitions(env: Environment, outcome: Outcome) -> None:
    """What reads and writes the ledger, in its short form, with events in partitions."""
    whole = (forms.VARIABLE, template.VARIABLE)
    short = {name: value for name, value in env.items() if name not in whole}
    suite("tests in partitions", {**short, template.PARTITIONED: "1"}, outcome, *IN_PARTITIONS)


def on_citus(plain: Environment, outcome: Outcome) -> None:
    """All of it, in its short form, on a database that is distributed over two servers."""
    short = {name: value for name, value in plain.items() if name != forms.VARIABLE}
    with ExitStack() as stack:
        try:
            servers_of = stack.enter_context(cluster.running())
            addresses = {
                "DATABASE_URL": servers_of.coordinator.url(),
                "REDIS_URL": stack.enter_context(services.redis()),
                cluster.WORKERS: servers_of.ports,
                cluster.NODES: servers_of.described,
            }
        except (build.NotBuilt, services.NotStarted, OSError) as error:
            outcome.not_run.append(f"tests on Citus: {' '.join(str(error).split())}")
            return
        # Template and databases of tests are made on all servers by this process and by pytest's.
        os.environ |= {cluster.WORKERS: servers_of.ports}
        stack.callback(os.environ.pop, cluster.WORKERS)
        env = {**production(short, addresses), **FOR_TESTS}
        suite("tests on Citus", env, outcome, "tests", f"--ignore={ALONE}")
        began = time.monotonic()
        code = pytest("tests on Citus, alone", env, [ALONE, "-n0"])
        outcome.step("tests on Citus, alone", ok=code == 0, seconds=time.monotonic() - began)


def run_checks(
    pool: Executor, plain: Environment, outcome: Outcome, stack: ExitStack
) -> tuple[Environment, Environment | None]:
    """
    Two at a time, told in order; beside the last of them, what the tests run on is made.

    Returns the environments of the tests on SQLite and, where servers came up, on PostgreSQL.
    """
    deployed = production(plain, {"DATABASE_URL": "postgresql://house@localhost/house"})
    deployed[forms.COLLECTION] = str(collection(plain))
    running = {
        name: pool.submit(check, command, deployed if name in IN_PRODUCTION else plain)
        for name, command in CHECKS.items()
    }
    made = pool.submit(prepared, plain, outcome, stack)
    for name, future in running.items():
        tell(name, CHECKS[name], future, outcome)
    return made.result()


def tell(name: str, command: str, future: Future[Checked], outcome: Outcome) -> None:
    done, seconds = future.result()
    heading(f"{name}: {command}")
    passed = done.returncode == 0
    # What was collected is a line for each file: nobody needs it while all of it can be.
    shown = "" if passed and name == "collection" else done.stdout.rstrip()
    say(shown or "nothing to report")
    outcome.step(name, ok=passed, seconds=seconds)


def collection(plain: Environment) -> Path:
    """Where the check of that name puts the names of the files that have tests on PostgreSQL."""
    return Path(plain["HOME_THROW_DATA"]).with_name("collected")


def prepared(
    plain: Environment, outcome: Outcome, stack: ExitStack
) -> tuple[Environment, Environment | None]:
    """Servers and templates, until the stack is closed."""
    embedded = with_template(plain, stack)
    started = stack.enter_context(servers(outcome))
    if started is None:
        return embedded, None
    return embedded, with_template({**production(plain, started), **FOR_TESTS}, stack)


def with_template(env: Environment, stack: ExitStack) -> Environment:
    """With a template, or as it was where none can be made: `pytest` tries again, and says why."""
    try:
        return stack.enter_context(template.made(env))
    except template.NotMigrated:
        return env


def check(command: str, env: Environment) -> Checked:
    began = time.monotonic()
    program, *rest = command.split()
    done = subprocess.run(
        [PROGRAMS / program, *rest],
        cwd=ROOT,
        env=env,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done, time.monotonic() - began


def suite(name: str, env: Environment, outcome: Outcome, *options: str) -> None:
    """The whole suite on one database, its output as it comes."""
    report = Path(env["HOME_THROW_DATA"]).parent / f"{name}.xml"
    options = (
        *options,
        "-n",
        str(WORKERS),
        "--durations=8",
        f"--junitxml={report}",
    )
    began = time.monotonic()
    code = pytest(name, env, options)
    outcome.step(name, ok=code == 0, seconds=time.monotonic() - began)
    outcome.remember(report, name.removeprefix("tests on "))


def leave_what_was_shown(outcome: Outcome) -> None:
    """For the page of controls: which of the tests it names passed, where, of which source."""
    text = (ROOT / "docs" / "reference" / "controls.md").read_text(encoding="utf-8")
    tests = [each.test for each in controls.read_controls(text)]
    outcome.write(ROOT / "test-results" / controls.RESULTS, tests=tests, commit=commit())


def commit() -> str:
    """Of the source as it is here, in short; "" where it is no checkout, or no longer as it was."""
    git = shutil.which("git")
    if git is None:
        return ""
    command = [git, "describe", "--always", "--dirty", "--exclude=*"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode else done.stdout.strip()


def pytest(name: str, env: Environment, options: Sequence[str]) -> int:
    command = ["-m", "pytest", *options]
    if not env["CHROMIUM"] and "-m" not in options:
        command += ["-m", "not browser"]
    heading(f"{name}: python {' '.join(command)}")
    try:
        made = nullcontext(env) if template.VARIABLE in env else template.made(env)
        with made as ready:
            return subprocess.run(
                [sys.executable, *command], cwd=ROOT, env=ready, check=False
            ).returncode
    except template.NotMigrated as error:
        say(f"The database of the tests could not be made:\n{error}")
        return 1


@contextmanager
def servers(outcome: Outcome) -> Iterator[Environment | None]:
    """Addresses of a real PostgreSQL and Redis: those given, else of our own, else none."""
    given = {name: os.environ[name] for name in SERVERS if os.environ.get(name)}
    own: dict[str, Server] = {"DATABASE_URL": services.postgresql, "REDIS_URL": services.redis}
    with ExitStack() as stack:
        try:
            started = {
                name: given.get(name) or stack.enter_context(start()) for name, start in own.items()
            }
        except (services.NotStarted, OSError) as error:
            why = " ".join(str(error).split())
            outcome.not_run.append(
                f"tests on PostgreSQL and Redis: {why}. The addresses of running ones may be given "
                "in DATABASE_URL (of a role that may make databases and roles) and REDIS_URL."
            )
            started = None
        yield started


def close(outcome: Outcome) -> int:
    heading("summary")
    say("\n".join(outcome.summary))
    if outcome.failed:
        say(f"FAILED: {', '.join(outcome.failed)}")
    not_run = [*outcome.not_run, *outcome.never_ran()]
    if not chromium.find():
        not_run.append(f"browser tests: {chromium.MISSING}")
    for reason in not_run:
        say(f"NOT RUN: {reason}")
    complete = not (not_run and any(map(os.environ.get, ("CI", "HOME_THROW_COMPLETE"))))
    if not complete:
        say("Here everything has to run, so this is a failure.")
    return 0 if complete and not outcome.failed else 1


def heading(text: str) -> None:
    say(f"\n=== {text}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
