"""The WSGI application, for both waitress (embedded) and gunicorn (production)."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")

application = get_wsgi_application()
