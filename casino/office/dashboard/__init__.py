"""
The start page: each role sees its own selection of parts.

Holds which parts a role sees (`page`), the day's figures beside those of a week ago, what waits for
somebody, running tables and last payouts, and the state of workers, signing and regrades. Within it
`palette` is the box that finds everything, `controls` the page of controls. Uses the rooms that it
summarises: `exceptions`, `gaming_days`, `health`, `regrade`, `payouts`, `signing`, `verification`,
`cash`, `core`, `settlement`, `approvals`, `web` and base rooms. Begin with
`page.page_context`. See `docs/reference/office.md`.
"""
