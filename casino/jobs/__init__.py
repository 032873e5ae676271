"""
Resumable jobs: long work that is kept in a row and done step by step, and its progress.

Holds the one model of them (`models.Job`), how they are begun, run, stopped, restarted, and resumed
after a worker was killed (`running`, `tasks`), and the page of all of a house. What a job does, and
what comes of it, belongs to its own room: each has a proxy of the model, which names its
`kinds.Kind`. The result of a step and the progress of the job are recorded in one transaction.
Uses `attendants`, `establishments`, `platform`, `web`.
Begin with `kinds.Kind`, then `running.begin` and `running.advance`. See
`docs/decisions/0075-one-model-of-resumable-jobs.md`.
"""
