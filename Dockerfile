# One image for web, worker, beat and the migration: compose.yaml says which is which.
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/home-throw

# The packages first: they change less often than the code.
COPY requirements.lock ./
RUN pip install --no-deps --require-hashes --requirement requirements.lock

COPY manage.py pyproject.toml ./
COPY games games
COPY ledger ledger
COPY casino casino
COPY templates templates
COPY locale locale
# The rules in words, quoted beside payouts; the controls, and what a run of the tests here said of
# them: it is copied where there is one.
COPY docs/games docs/games
COPY docs/reference/controls.md docs/reference/controls.md
COPY manage.py test-results/controls.jso[n] test-results/

# Static files get their hashed names now. The addresses and the key are for this step alone:
# nothing connects, and nothing of them stays in the image. Kubernetes knows `house` by its number.
RUN python -m compileall -q games ledger casino \
 && DATABASE_URL=postgresql://nobody@localhost/nothing SECRET_KEY=for-this-step-only \
    python manage.py collectstatic --noinput --verbosity 0 \
 && groupadd --system --gid 10001 house \
 && useradd --system --uid 10001 --gid house --no-create-home --shell /usr/sbin/nologin house \
 && install --directory --owner=house --mode=700 /srv/ledger-keys

USER house
EXPOSE 8000
CMD ["gunicorn", "-c", "python:casino.config.gunicorn", "casino.config.wsgi"]
