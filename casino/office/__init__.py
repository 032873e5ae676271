"""
The office's first pages: how the house stands, finding anything, setting a house up, monitoring.

`dashboard` is the start page, with the box that finds everything and the list of controls;
`onboarding` is the set-up of a new house, `monitoring` the health checks and metrics for operators.
Uses every district below it. Begin with `dashboard.page`.
"""
