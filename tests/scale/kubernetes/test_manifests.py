"""What every manifest must say, read from the files themselves, without a cluster or a tool."""

from __future__ import annotations

import importlib.util
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import ManagementUtility
from django.urls import resolve

from casino.engine.processes.queues import broker
from casino.engine.processes.version import VERSION
from casino.office.monitoring import checks, exporter
from tests.processes import ROOT
from tests.scale.kubernetes.manifests import (
    KUBERNETES,
    MARK,
    PRODUCTION,
    Resource,
    container,
    house_env,
    of_kind,
    pod,
    runs,
    written,
)
from tests.test_production import COMPOSE, known_names

pytestmark = pytest.mark.once

RUNNING = {each["metadata"]["name"]: each for each in written() if runs(each)}
NAMES = sorted(RUNNING)
DEPLOYMENTS = sorted(each["metadata"]["name"] for each in of_kind(written(), "Deployment"))
WORKERS = [name for name in DEPLOYMENTS if name.startswith("worker-")]
SECRETS = {
    data["secretKey"]: each["metadata"]["name"]
    for each in of_kind(written(), "ExternalSecret")
    for data in each["spec"]["data"]
}
DOCKERFILE = (ROOT / "Dockerfile").read_text()
PAGE = (ROOT / "docs" / "scale" / "kubernetes.md").read_text()


def queues_of(resource: Resource) -> list[str]:
    words: list[str] = container(resource)["command"]
    return words[words.index("--queues") + 1].split(",")


# --- What runs ----------------------------------------------------------------------------------


def test_it_runs_what_compose_runs() -> None:
    """The same programs; workers are cut by queue."""
    composed = {name for name, each in COMPOSE["services"].items() if each.get("build")}

    assert {name.partition("-")[0] for name in NAMES} == (composed - {"long"})
    for name in ("web", "beat", "migrate"):
        assert " ".join(container(RUNNING[name])["command"]) == COMPOSE["services"][name]["command"]


def test_every_queue_has_one_deployment_of_workers() -> None:
    served = [queue for name in WORKERS for queue in queues_of(RUNNING[name])]

    assert sorted(served) == sorted(settings.CELERY_TASK_QUEUES)


def test_with_queues_by_house_workers_serve_as_many_as_houses_are_spread_over() -> None:
    """What `components/queues-by-house` sets and what it patches fit each other, and the base."""
    path = KUBERNETES / "components" / "queues-by-house" / "kustomization.yaml"
    component = yaml.safe_load(path.read_text())
    [setting] = component["configMapGenerator"][0]["literals"]
    name, _, number = setting.partition("=")
    tested, replaced = yaml.safe_load(component["patches"][0]["patch"])
    command = container(RUNNING["worker-play"])["command"]
    places = [int(each["path"].rpartition("/")[2]) for each in (tested, replaced)]

    assert name == "PLAY_QUEUES"
    assert command[places[0]] == tested["value"] == "--queues"
    assert places[1] == places[0] + 1
    assert replaced["value"].split(",") == [*broker.queue_names("play", int(number)), "watch"]
    assert command[places[1]].split(",") == [*broker.queue_names("play", 1), "watch"]


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_a_program_that_is_there(name: str) -> None:
    program, *words = container(RUNNING[name])["command"]

    assert shutil.which(program, path=str(Path(sys.executable).parent))
    for module in re.findall(r"\b(?:casino|ledger)(?:\.\w+)+", " ".join(words)):
        assert importlib.util.find_spec(module), module
    if words[:1] == ["manage.py"]:
        command = ManagementUtility(["manage.py"]).fetch_command(words[1])
        assert command.create_parser("manage.py", words[1]).format_help()


@pytest.mark.parametrize("name", WORKERS)
def test_a_worker_has_as_many_processes_as_it_says(name: str) -> None:
    """Without a number Celery takes one for each core of the node."""
    assert "--concurrency" in container(RUNNING[name])["command"]


# --- How it runs --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_pod_may_do_nothing_but_its_work(name: str) -> None:
    spec, its = pod(RUNNING[name]), container(RUNNING[name])

    assert spec["automountServiceAccountToken"] is False
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert its["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    user = spec["securityContext"]["runAsUser"]
    assert f"--uid {user} " in DOCKERFILE
    assert f"--gid {spec['securityContext']['runAsGroup']} " in DOCKERFILE


@pytest.mark.parametrize("name", NAMES)
def test_a_pod_says_what_it_needs(name: str) -> None:
    its = container(RUNNING[name])

    assert {*its["resources"]["requests"]} == {"cpu", "memory"}
    assert megabytes(its["resources"]["requests"]["memory"]) < megabytes(
        its["resources"]["limits"]["memory"]
    )
    assert {"name": "tmp", "mountPath": "/tmp"} in its["volumeMounts"]  # noqa: S108
    [tmp] = [each for each in pod(RUNNING[name])["volumes"] if each["name"] == "tmp"]
    assert "sizeLimit" in tmp["emptyDir"]


def megabytes(quantity: str) -> int:
    return int(quantity[:-2]) * {"Mi": 1, "Gi": 1024}[quantity[-2:]]


@pytest.mark.parametrize("name", WORKERS)
def test_a_worker_s_processes_are_replaced_before_its_pod_is_killed_for_memory(name: str) -> None:
    words = container(RUNNING[name])["command"]
    processes = int(words[words.index("--concurrency") + 1])
    parent = 131  # MB, as measured beside the first manifests
    largest = int(house_env(KUBERNETES / "base")["WORKER_MAX_MEMORY"])

    limit = megabytes(container(RUNNING[name])["resources"]["limits"]["memory"])
    assert parent + processes * largest < limit


@pytest.mark.parametrize("name", NAMES)
def test_an_image_has_its_version(name: str) -> None:
    assert container(RUNNING[name])["image"] == f"home-throw:{VERSION}"


def test_overlays_put_the_same_image_everywhere() -> None:
    images = [
        yaml.safe_load((folder / "kustomization.yaml").read_text())["images"]
        for folder in (PRODUCTION, PRODUCTION / "migration")
    ]

    assert images[0] == images[1]
    assert all(str(each["newTag"]) == VERSION for each in images[0])


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_pod_is_looked_after(name: str) -> None:
    its = container(RUNNING[name])

    assert {"startupProbe", "readinessProbe", "livenessProbe"} <= its.keys()
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        if "exec" in its[probe]:
            assert "$HEARTBEAT_FILE" in its[probe]["exec"]["command"][-1]
        else:
            [asked] = [its[probe][way] for way in ("httpGet", "tcpSocket") if way in its[probe]]
            assert asked["port"] in {port["name"] for port in its["ports"]}


def test_no_probe_restarts_who_waits_for_another() -> None:
    """Only readiness asks for the database; a worker without a broker has ten minutes."""
    for name in DEPLOYMENTS:
        assert "httpGet" not in container(RUNNING[name])["livenessProbe"]
    for name in WORKERS:
        alive = container(RUNNING[name])["livenessProbe"]
        assert alive["periodSeconds"] * alive["failureThreshold"] >= 600


def test_what_the_kubelet_asks_is_there() -> None:
    asked = container(RUNNING["web"])["readinessProbe"]["httpGet"]

    found: Any = resolve(asked["path"]).func
    assert found.view is checks.healthz_web
    headers = {each["name"]: each["value"] for each in asked["httpHeaders"]}
    assert headers["Host"] in house_env(KUBERNETES / "base")["ALLOWED_HOSTS"].split(",")
    assert headers["X-Forwarded-Proto"] == "https"


def test_ports_are_those_that_programs_listen_on() -> None:
    env = house_env(KUBERNETES / "base")
    ports = {each["name"]: each["containerPort"] for each in container(RUNNING["web"])["ports"]}

    assert env["WEB_BIND"] == f"0.0.0.0:{ports['http']}"
    assert env["METRICS_BIND"] == f"0.0.0.0:{ports['metrics']}"
    for service in of_kind(written(), "Service"):
        [port] = service["spec"]["ports"]
        assert port["targetPort"] in ports


# fmt: off
GRACE = [
    # who              seconds that it may take: before the signal, and for what has begun
    ("web",            10 + 30),   # gunicorn's graceful_timeout
    ("worker-play",    settings.CELERY_TASK_TIME_LIMIT),
    ("worker-signing", settings.CELERY_TASK_TIME_LIMIT),
    ("worker-long",    2 * settings.CELERY_TASK_TIME_LIMIT),
    ("beat",           5),
]
# fmt: on


@pytest.mark.parametrize(("name", "seconds"), GRACE)
def test_who_is_to_end_has_time_to(name: str, seconds: int) -> None:
    assert pod(RUNNING[name])["terminationGracePeriodSeconds"] > seconds


# --- Settings and secrets -----------------------------------------------------------------------


def given(resource: Resource) -> set[str]:
    """The variables that its container gets, those of secrets included."""
    its = container(resource)
    names = {each["name"] for each in its.get("env", ())}
    for source in its["envFrom"]:
        if "configMapRef" in source:
            names |= house_env(KUBERNETES / "base", PRODUCTION).keys()
        else:
            name = source["secretRef"]["name"]
            names |= {key for key, secret in SECRETS.items() if secret == name}
    return names


@pytest.mark.parametrize("name", NAMES)
def test_a_pod_is_given_only_what_the_settings_read(name: str) -> None:
    assert given(RUNNING[name]) <= known_names()


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_a_pod_is_given_all_that_a_house_needs(name: str) -> None:
    assert given(RUNNING[name]) >= {"DATABASE_URL", "SECRET_KEY", "ALLOWED_HOSTS", "REDIS_URL"}


def test_only_the_migration_has_the_owner_s_password_and_only_signing_has_keys() -> None:
    owners = [name for name in NAMES if "DATABASE_OWNER_URL" in given(RUNNING[name])]
    signing = [name for name in NAMES if "LEDGER_KEYS_DIR" in given(RUNNING[name])]

    assert owners == ["migrate"]
    assert signing == ["worker-signing"]
    assert "signing" in queues_of(RUNNING["worker-signing"])


def test_no_secret_is_in_the_tree() -> None:
    assert of_kind(written(), "Secret") == []
    plain = house_env(KUBERNETES / "base", PRODUCTION)
    assert not {name for name in plain if re.search(r"_URL|KEY|PASSWORD", name)}
    assert {key for key in SECRETS if f"{key}=" not in PAGE} == set()  # how to make them by hand


# --- The rest of the cluster --------------------------------------------------------------------


def labels(resource: Resource) -> dict[str, str]:
    found: dict[str, str] = resource["spec"]["template"]["metadata"]["labels"]
    return found


@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_what_selects_pods_finds_them(name: str) -> None:
    spec = RUNNING[name]["spec"]
    budgets = [
        each["spec"]
        for each in of_kind(written(), "PodDisruptionBudget")
        if each["spec"]["selector"]["matchLabels"].items() <= labels(RUNNING[name]).items()
    ]

    assert spec["selector"]["matchLabels"] == labels(RUNNING[name])
    assert [each["maxUnavailable"] for each in budgets] == [1]
    for spread in pod(RUNNING[name])["topologySpreadConstraints"]:
        assert spread["labelSelector"]["matchLabels"] == labels(RUNNING[name])


def test_every_autoscaler_has_a_deployment_and_rules_for_its_figures() -> None:
    rules = yaml.safe_load(
        (KUBERNETES / "components" / "monitoring" / "adapter-rules.yaml").read_text()
    )
    served = {rule["seriesQuery"].partition("{")[0] for rule in rules["rules"]["external"]}
    wanted = set()
    for each in of_kind(written(), "HorizontalPodAutoscaler"):
        assert each["spec"]["scaleTargetRef"]["name"] in DEPLOYMENTS
        metrics: list[Any] = each["spec"]["metrics"]
        wanted |= {it["external"]["metric"]["name"] for it in metrics if it["type"] == "External"}

    assert wanted == served


def test_nothing_goes_in_or_out_but_what_is_named() -> None:
    policies = {
        each["metadata"]["name"]: each["spec"] for each in of_kind(written(), "NetworkPolicy")
    }
    nothing = policies.pop("nothing")
    into = {
        (name, rule["ports"][0]["port"])
        for name, each in policies.items()
        for rule in each.get("ingress", ())
    }

    assert nothing == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert into == {("browsers", 8000), ("metrics", 9464)}
    for each in policies.values():
        for rule in each.get("ingress", ()):
            assert rule["from"]  # without it anybody may come in


def test_metrics_are_read_where_they_are_and_no_browser_comes_there() -> None:
    pods, [config] = of_kind(written(), "PodMonitor"), of_kind(written(), "ScrapeConfig")
    [endpoint] = pods[0]["spec"]["podMetricsEndpoints"]

    assert (endpoint["path"], config["spec"]["metricsPath"]) == exporter.PATHS
    [ingress] = of_kind(written(), "Ingress")
    [rule] = ingress["spec"]["rules"]
    [path] = rule["http"]["paths"]
    assert path["backend"]["service"] == {"name": "web", "port": {"name": "http"}}
    assert labels(RUNNING["web"])[MARK] == "web"
