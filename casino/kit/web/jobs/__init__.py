"""
Resumable jobs: long work that workers run step by step, and its progress.

Holds the one model (`models.Job`), what kinds there are and how jobs are begun, run, stopped and
restarted (`running`), the task that runs any job and the watch that resumes jobs of a killed worker
(`tasks`), and the page of all jobs of a house. What a job does belongs to the room that begins it:
each has a proxy of the model, which names its `running.Kind`. The result of a step and the job's
row are recorded in one transaction. Uses `attendants`, `establishments`, `engine`, `web`. Begin
with `running.Kind`, then `running.begin` and `running.advance`. See
`docs/decisions/0075-resumable-jobs.md`.
"""
