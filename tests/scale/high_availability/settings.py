"""Settings of Patroni, etcd and haproxy, as deploy/high-availability has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PATRONI: Final = """
scope: house
name: {name}
etcd3:
  hosts: {etcds}
restapi:
  listen: 127.0.0.1:{api}
  connect_address: 127.0.0.1:{api}
bootstrap:
  dcs:
    ttl: 8
    loop_wait: 2
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: {synchronous}
    synchronous_mode_strict: {synchronous}
    maximum_lag_on_failover: {lag}
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        wal_log_hints: "on"
        max_connections: 200
  initdb:
    - encoding: UTF8
    - locale: C
    - data-checksums
    - auth-host: scram-sha-256
    - auth-local: scram-sha-256
postgresql:
  listen: 127.0.0.1:{port}
  connect_address: 127.0.0.1:{port}
  data_dir: {folder}/data
  bin_dir: {bin}
  pgpass: {folder}/pgpass
  authentication:
    superuser: {{username: postgres, password: {superuser}}}
    replication: {{username: replicator, password: {replication}}}
    rewind: {{username: rewinder, password: {rewind}}}
  parameters:
    unix_socket_directories: {folder}
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
"""

HAPROXY: Final = """
global
    maxconn 2000
defaults
    mode http
    timeout connect 2s
    timeout client 75s
    timeout server 60s
    timeout queue 10s
    timeout check 5s
    timeout http-request 20s
    timeout http-keep-alive 75s
    option forwardfor
    option redispatch
    retries 3
    retry-on conn-failure
frontend tablets
    bind 127.0.0.1:{door}
    option http-buffer-request
    http-request deny deny_status 413 if {{ req.hdr(content-length) -m int gt 262144 }}
    http-request set-header X-Forwarded-Proto https
    default_backend webs
backend webs
    balance leastconn
    option httpchk
    http-check send meth GET uri /healthz/web hdr Host {host} hdr X-Forwarded-Proto https
    http-check expect status 200
    default-server check inter 1s fall 2 rise 2
{servers}
listen figures
    bind 127.0.0.1:{figures}
    stats enable
    stats uri /
"""


def haproxy(*, door: int, figures: int, host: str, webs: Mapping[str, int]) -> str:
    """:param figures: port of a page that says which servers are up. :param webs: their ports."""
    servers = "\n".join(f"    server {name} 127.0.0.1:{port}" for name, port in webs.items())
    return HAPROXY.format(door=door, figures=figures, host=host, servers=servers)


def patroni(fields: Mapping[str, Any]) -> str:
    return PATRONI.format(**fields)


def etcd(name: str, folder: Path, client: int, peer: int, everybody: str) -> list[str]:
    """Its options. :param everybody: ``name=address`` of all members, by commas."""
    of_clients, of_peers = f"http://127.0.0.1:{client}", f"http://127.0.0.1:{peer}"
    options = {
        "name": name,
        "data-dir": str(folder / "data"),
        "listen-client-urls": of_clients,
        "advertise-client-urls": of_clients,
        "listen-peer-urls": of_peers,
        "initial-advertise-peer-urls": of_peers,
        "initial-cluster": everybody,
        "initial-cluster-token": "house",
        "initial-cluster-state": "new",
        "auto-compaction-mode": "periodic",
        "auto-compaction-retention": "1",
    }
    return [f"--{name}={value}" for name, value in options.items()]
