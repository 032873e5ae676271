"""
Settings, from the environment alone.

With nothing set the house runs *embedded*: SQLite and an in-memory broker in one process, its data
in ``HOME_THROW_DATA`` (default ``data/`` beside ``manage.py``; if installed, in the person's own
folder: ``casino/engine/processes/paths.py``). With ``DATABASE_URL`` set it runs in *production*:
PostgreSQL, ``REDIS_URL`` as broker, HTTPS assumed. ``docs/how-to/production.md`` lists every
variable.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from casino.config.environment import (
    BODY_MOST,
    DATA_DIR,
    FIELDS_MOST,
    FILES_MOST,
    PRODUCTION,
    RATES,
    broker,
    data_folder,
    direct,
    env,
    env_flag,
    env_list,
    env_number,
    house_database,
    ledger_origin,
    postgresql,
    queues_by_house,
    reader,
    replicas,
    secret_key,
)
from casino.engine.logs import logs
from casino.engine.processes import entry_points, paths, silence

DEBUG = env_flag("DEBUG")

SECRET_KEY = secret_key()
SECRET_KEY_FALLBACKS = env_list("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "" if PRODUCTION else "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_MOST  # of every body: `casino.config.incoming`
DATA_UPLOAD_MAX_NUMBER_FIELDS = FIELDS_MOST
DATA_UPLOAD_MAX_NUMBER_FILES = FILES_MOST

INSTALLED_APPS = [
    "casino.config.apps.HouseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "knox",
    "ledger",
    "casino.config.apps.AttendantsConfig",  # casino.house.attendants
    "casino.config.apps.EstablishmentsConfig",  # casino.house.establishments
    "casino.house.attendants.pseudonyms",
    "casino.floor.players",
    "casino.play.exclusions",
    "casino.config.apps.HomeThrowsConfig",  # casino.house.home_throws
    "casino.play.dice",
    "casino.play.settlement",
    "casino.config.apps.PlayConfig",  # casino.play.core
    "casino.kit.web.jobs",
    "casino.kit.approvals",
    "casino.money.cash",
    "casino.config.apps.GamingDaysConfig",  # casino.reports.gaming_days
    "casino.config.apps.DevicesConfig",  # casino.play.devices
    "casino.proof.disputes",
    "casino.proof.search",
    "casino.money.payouts",
    "casino.play.dice.surveillance",
    "casino.config.apps.SubscriptionsConfig",  # casino.play.core.subscriptions
    "casino.proof.disputes.regrade",
    "casino.reports.what_if",
    "casino.config.apps.IntegrityConfig",  # casino.proof.signing
    "casino.proof.backup",
    "casino.proof.verification",
    "casino.engine.scale.distribution",
    "casino.engine.scale.partitions",
    "casino.config.apps.ReportsConfig",  # casino.reports.registers
    "casino.chain",
    "casino.play.dice.odds",
    "casino.config.apps.ConfigurationConfig",  # casino.settings.configuration
    "casino.settings.staff",
    "casino.office.onboarding",
    "casino.engine.logs.health",
    "casino.office.monitoring",
    "casino.config.apps.DemoConfig",  # casino.demo
    "casino.kit.web",
    "casino.words.languages",
    "casino.config",
    "casino.settings.admin_site",
]

HOUSE_PARTS = "casino.config.parts.register"
METRICS_BIND = env("METRICS_BIND")  # where metrics are read; empty: nothing is counted
MIDDLEWARE = [
    *(["casino.office.monitoring.instruments.MetricsMiddleware"] if METRICS_BIND else []),
    "casino.engine.logs.logs.RequestLogMiddleware",  # outermost: it times all below, gives it an id
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "casino.config.security_headers.ContentSecurityPolicyMiddleware",
    "casino.config.security_headers.KeptByNobodyMiddleware",
    "casino.config.incoming.IncomingMiddleware",  # nothing below gets what does not pass
    "casino.floor.tables.news.NewsMiddleware",  # polls come each second and need nothing below
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.words.languages.reader.LanguageMiddleware",  # before any that may draw a page
    "casino.settings.staff.sign_in.middleware.AssuranceMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "casino.house.establishments.clock.HouseClockMiddleware",
    "casino.config.failures.StorageMiddleware",
    "casino.config.failures.NotInstalledMiddleware",
]
POLLS = MIDDLEWARE.index("casino.floor.tables.news.NewsMiddleware")  # outside of whatever writes

OFFICE_SECTIONS = "casino.config.sections.SECTIONS"
SUBSCRIBERS = (  # who reads the ledger of a house, in the order in which its workers ask them
    "casino.play.settlement.subscriber.SETTLEMENT",
    "casino.play.core.projections.PROJECTIONS",
    "casino.engine.processes.queues.house_subscriber.HOUSE",
    "casino.play.dice.surveillance.subscriber.SURVEILLANCE",
)
ROOT_URLCONF = "casino.config.urls"
WSGI_APPLICATION = "casino.config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "casino.engine.processes.templating.Templates",
        "NAME": "django",
        "DIRS": [paths.TEMPLATES, *entry_points.folders("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["casino.words.languages.templatetags.when"],
        },
    },
]
FORM_RENDERER = "casino.engine.processes.templating.Forms"

# Caches of rendered fragments, in each web process. Most of it is the lines of boards' logs, which
# do not change.
CACHES: dict[str, Any] = {
    name: {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": most},
    }
    for name, most in {"default": 300, "template_fragments": 4_000}.items()
}

# --- Databases --------------------------------------------------------------------------------

DATABASES: dict[str, Any] = {"default": house_database()}
if env("DATABASE_OWNER_URL"):
    # The owner migrates (`migrate --database owner`); the house itself runs as a role that can
    # only insert into and select from the ledger.
    DATABASES["owner"] = {
        **postgresql(env("DATABASE_OWNER_URL")),
        "TEST": {"MIRROR": "default"},
    }
# pg_dump for `manage.py backup`; pg_restore is expected beside it. If empty, it is searched for.
PG_DUMP = env("PG_DUMP")

DATABASES["reader"] = reader()
LEDGER_READER = "reader"
if past_the_pooler := direct():
    DATABASES["direct"] = past_the_pooler
# For what keeps a session over several transactions: temporary tables, pg_dump.
SESSION_DATABASE = "direct" if past_the_pooler else "default"
REPLICAS = tuple(
    given_replicas := replicas()
)  # for pages that only read (casino/engine/scale/replicas)
if REPLICAS:
    DATABASES |= given_replicas
    MIDDLEWARE.insert(POLLS, "casino.engine.scale.replicas.middleware.PositionMiddleware")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Celery: messages are wakes; the ledger is the outbox -------------------------------------

BROKER = broker()
CELERY_BROKER_URL = BROKER.celery
CELERY_BROKER_USE_SSL = dict(BROKER.tls) or False
# Work that must never wait for other work has a queue of its own.
PLAY, SIGNING, WATCH, LONG = "play", "signing", "watch", "long"
PLAY_SHARDS = queues_by_house(PLAY, "PLAY_QUEUES")
QUEUES = (*PLAY_SHARDS, SIGNING, WATCH, LONG)
CELERY_TASK_QUEUES = {name: {"exchange": name, "routing_key": name} for name in QUEUES}
CELERY_TASK_DEFAULT_QUEUE = WATCH  # sweeps, watches and signs of life
CELERY_TASK_ROUTES = {
    name: {"queue": queue}
    for queue, names in {
        PLAY: ("casino.subscriptions.tasks.serve", "casino.gaming_days.tasks.close_day"),
        SIGNING: ("casino.integrity.tasks.sign_next", "casino.integrity.tasks.copy"),
        LONG: ("casino.jobs.tasks.run_job", "casino.chain.tasks.summarise_next"),
    }.items()
    for name in names
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_IGNORE_RESULT = True  # the database is the truth; there is no result backend
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
# Worker processes are replaced now and then, a precaution: they are not known to grow.
CELERY_WORKER_MAX_TASKS_PER_CHILD = env_number("WORKER_MAX_TASKS", 250_000) or None
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 1024 * env_number("WORKER_MAX_MEMORY", 512) or None  # KiB
CELERY_TASK_PUBLISH_RETRY = False  # a broker that is down must not hold up a committed command
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever: after Redis restarts, workers go on
CELERY_BROKER_CHANNEL_ERROR_RETRY = True  # so after one that answers READONLY, MISCONF or OOM
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {
        "visibility_timeout": 3 * CELERY_TASK_TIME_LIMIT,
        # With the defaults, tasks were still missing 90 s after a worker was killed.
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        **silence.BROKER,
        "health_check_interval": silence.HEALTH_CHECK,
        # For one message; workers and beat have their own retry loop. By default a refused
        # connection is retried after 2 s, while the sender of a command waits.
        "max_retries": 0,
        **BROKER.options,
    }
    if env("REDIS_URL")
    else {"polling_interval": 0.05}
)
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "casino.config.beat:Leased"
CELERY_BEAT_MAX_LOOP_INTERVAL = 1
# The sweeps and watches that make up for lost wakes: in seconds by a clock that nobody can set. No
# message expires (casino/config/beat.py). Names of tasks are no paths: each stands, with its name,
# in the `tasks` of its room. Each queue that is served gets a sign of life.
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "casino.subscriptions.tasks.sweep", "schedule": 1.0},
    "rest": {"task": "casino.subscriptions.tasks.rest", "schedule": 30.0},
    "rollovers": {"task": "casino.subscriptions.tasks.sweep_rollovers", "schedule": 5.0},
    **{
        f"sign of {queue}": {
            "task": "casino.health.tasks.sign_of_life",
            "schedule": 5.0,
            "kwargs": {"queue": queue},
            "options": {"queue": queue},
        }
        for queue in QUEUES
    },
    "days": {"task": "casino.gaming_days.tasks.watch", "schedule": 60.0},
    "jobs": {"task": "casino.jobs.tasks.watch", "schedule": 30.0},
    "trees": {"task": "casino.integrity.tasks.watch_trees", "schedule": 3.0},
    "copies": {"task": "casino.integrity.tasks.watch_copies", "schedule": 15.0},
    "chains": {"task": "casino.chain.tasks.watch", "schedule": 10.0},
    "pieces": {"task": "casino.partitions.tasks.watch", "schedule": 60.0},
}

# --- Proof: what signs a house's ledger, and where copies of it go ------------------------------

LEDGER_ORIGIN = ledger_origin()
LEDGER_KEYS = tuple(env("LEDGER_KEYS").split())
LEDGER_KEYS_DIR = (
    Path(env("LEDGER_KEYS_DIR"))
    if env("LEDGER_KEYS_DIR")
    else None if PRODUCTION else DATA_DIR / "ledger-keys"
)  # fmt: skip
CHECKPOINT_COPIES = tuple(env_list("CHECKPOINT_COPIES"))

# Only the copies of checkpoints go by mail.
EMAIL_HOST = env("EMAIL_HOST", "localhost")
EMAIL_PORT = env_number("EMAIL_PORT", 25)
EMAIL_HOST_USER = env("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env_flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env("EMAIL_FROM", "home-throw@localhost")

# --- People and their browsers ----------------------------------------------------------------

AUTH_USER_MODEL = "attendants.Attendant"
AUTHENTICATION_BACKENDS = ["casino.house.attendants.backend.StaffBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "casino.house.attendants.passwords.LengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
PASSWORD_HASHERS = [
    "casino.house.attendants.passwords.KeyedHasher",
    "casino.house.attendants.passwords.FirstHasher",
]
# Whether approving and configuring needs a second factor from everybody, or only from people who
# have set one up (D2).
SECOND_FACTOR = env("SECOND_FACTOR", "required" if PRODUCTION else "offered").lower()
if SECOND_FACTOR not in {"required", "offered"}:
    raise ImproperlyConfigured(f"SECOND_FACTOR={SECOND_FACTOR!r}: say required or offered.")
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "start"
LOGOUT_REDIRECT_URL = "sign-in"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
if PRODUCTION:  # browsers accept such a name only from this host, over HTTPS
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
SESSION_COOKIE_AGE = 12 * 60 * 60  # then people sign in again, however active they were
SESSION_IDLE = 30 * 60  # a full session without requests; a PIN session lasts the shift
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_SSL_REDIRECT = PRODUCTION and env_flag("SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PRODUCTION else None
SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60 if PRODUCTION else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = PRODUCTION
SECURE_HSTS_PRELOAD = PRODUCTION

# Names and values as Django 6 has them (see casino/config/security_headers.py).
SECURE_CSP: dict[str, list[str]] = {
    "default-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}

# --- Language, time, files --------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("it", "Italiano")]  # each language by its own name
LOCALE_PATHS = [paths.LOCALE, *entry_points.folders("locale")]
FORMAT_MODULE_PATH = "casino.words.languages.formats"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"  # each establishment has its own; this is the fallback

STATIC_URL = "static/"
# Embedded, the files are served from their source; WhiteNoise warns about a missing folder.
STATIC_ROOT = Path(env("STATIC_ROOT") or data_folder() / "staticfiles") if PRODUCTION else None
STATICFILES_DIRS = [
    paths.STATIC,
    *entry_points.folders("static"),
    ("swagger-ui", paths.SWAGGER_UI),  # the API's page; files alone, so the package is no app
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION

# --- The API ----------------------------------------------------------------------------------

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.kit.web.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["casino.kit.web.api.rendering.JSON"],
    "DEFAULT_PARSER_CLASSES": ["casino.kit.web.api.parsing.StrictJSONParser"],
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,  # the schema has all there is to know
    "EXCEPTION_HANDLER": "casino.kit.web.api.problems.answer_exception",
    "DEFAULT_THROTTLE_RATES": RATES,
    "NUM_PROXIES": 1 if PRODUCTION else 0,  # how many addresses of X-Forwarded-For are our proxies
    "URL_FORMAT_OVERRIDE": None,
    "DATETIME_FORMAT": None,  # as they are, in UTC: times by the house's clock are for people
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
# Entries a second that programs of one house may send to each web process; 0: any number.
HOUSE_RATE = env_number("HOUSE_RATE", 200)
KNOX_TOKEN_MODEL = "knox.AuthToken"  # noqa: S105 - a model; its own: named because another table refers to it
REST_KNOX = {"TOKEN_TTL": timedelta(days=30), "AUTO_REFRESH": False}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Home Throw",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "DESCRIPTION": (
        "The games of formal dice houses: played by commands, kept in a ledger.\n\n"
        "A program gets a token with `POST /api/v1/tokens/` and sends it with each request as"
        " `Authorization: Bearer TOKEN`. Amounts of money are whole numbers of the house's smallest"
        " coin. A command has an id of its own, made by who sends it: sent again, it counts once."
    ),
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "casino.kit.web.api.schema.with_vocabulary",
    ],
    "ENFORCE_NON_BLANK_FIELDS": True,
    "ENUM_NAME_OVERRIDES": {
        "GameStatus": "casino.play.core.models.GameCard.Status",
        "CountState": "casino.money.cash.models.CountRow.State",
        "DayState": "casino.reports.gaming_days.models.GamingDay.State",
        "PayoutState": "casino.play.settlement.models.Payout.State",
        "RequestState": "casino.kit.approvals.models.RequestRow.State",
    },
}

# --- Logs -------------------------------------------------------------------------------------

LOG_LEVEL = env("LOG_LEVEL", "INFO" if PRODUCTION else "WARNING").upper()
LOGGING = logs.configuration(production=PRODUCTION, level=LOG_LEVEL)
