"""
Metrics for Prometheus: what each process does, and how the installation stands.

Holds what is counted (`instruments`), the address at which it is read (`exporter`), the figures
that database and broker have for all processes together (`installation`), and the middleware that
measures requests. Without `METRICS_BIND` nothing here is imported.
Uses `health`, `subscriptions`, `platform`.
Begin with `exporter.begin`; docs/reference/metrics.md lists every metric.
"""
