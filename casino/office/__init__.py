"""
The office's first pages: how the house stands, finding anything, setting a house up, monitoring.

`dashboard` is the start page, `palette` the box that finds everything, `onboarding` the set-up of a
new house, `controls` the list of controls that the house claims, `monitoring` the health checks and
metrics for operators.
Uses every district below it. Begin with `dashboard.page`.
"""
