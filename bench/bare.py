"""A Django view and a Celery task that do nothing: the least that a request and a task can cost."""

import os

from celery import Celery
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, JsonResponse
from django.urls import path

if not settings.configured:
    settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY="bare")

celery = Celery(broker=os.environ["REDIS_URL"])
celery.conf.update(task_ignore_result=True, task_default_queue="bare")


def answer(_request: HttpRequest) -> JsonResponse:
    return JsonResponse({"answer": 42})


@celery.task(name="bare")
def nothing() -> None:
    """Do nothing."""


urlpatterns = [path("", answer)]
application = get_wsgi_application()
