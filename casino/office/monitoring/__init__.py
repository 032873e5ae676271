"""
How the installation is, for monitors and operators: health checks, and metrics for Prometheus.

Holds `/healthz` and `manage.py health` (`checks`), the probe of a container's engine (`probe`),
what each process counts, with the middleware that measures requests (`instruments`), and the
address at which it is read, with the figures that database and broker have for all processes
together (`exporter`). Without `METRICS_BIND` no metric is imported.
Uses `health`, `signing`, `regrade`, `settlement`, `subscriptions`.
Begin with `checks.report`; docs/reference/metrics.md lists every metric.
"""
