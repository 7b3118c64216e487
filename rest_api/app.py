"""The application: every operation of the service behind one ASGI application."""

from collections.abc import Awaitable

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send

from core.foundation.settings import current
from rest_api import (
    account_page,
    blobs,
    console,
    docs,
    graphql,
    health,
    home,
    metrics,
    openapi,
    problems,
)
from rest_api.accounts.routes import operations as accounts
from rest_api.api_keys.routes import operations as api_keys
from rest_api.audit.routes import operations as audit
from rest_api.card_files.routes import operations as card_files
from rest_api.cards.activities import operations as activities
from rest_api.cards.routes import operations as cards
from rest_api.companies.routes import operations as companies
from rest_api.contact_imports.routes import operations as contact_imports
from rest_api.contacts.routes import operations as contacts
from rest_api.conversation_batches.routes import operations as conversation_batches
from rest_api.conversations.routes import operations as conversations
from rest_api.conversations_inbound.routes import operations as conversations_inbound
from rest_api.customer_events.routes import operations as customer_events
from rest_api.decisions.routes import operations as decisions
from rest_api.email import routes as email
from rest_api.exports.routes import operations as exports
from rest_api.flows.routes import operations as flows
from rest_api.journeys.rehearsal_routes import operations as journey_rehearsals
from rest_api.journeys.routes import operations as journeys
from rest_api.journeys.run_routes import operations as journey_runs
from rest_api.lifespan import lifespan
from rest_api.lists.routes import operations as lists
from rest_api.media.routes import operations as media
from rest_api.numbers.routes import operations as numbers
from rest_api.pipelines.routes import operations as pipelines
from rest_api.privacy.routes import operations as privacy
from rest_api.providers import amazon, gateway, meta, payments, smtp
from rest_api.push.devices import operations as push_devices
from rest_api.push.routes import operations as push
from rest_api.push.settings import operations as push_settings
from rest_api.quotes.routes import operations as quotes
from rest_api.rcs.routes import operations as rcs
from rest_api.sandbox_clock.routes import operations as sandbox_clock
from rest_api.segments.routes import operations as segments
from rest_api.short_links import routes as short_links
from rest_api.smpp.routes import operations as smpp
from rest_api.sms.routes import operations as sms
from rest_api.stopping import Stopping
from rest_api.support.asgi_middleware import UNEXPECTED, with_middleware
from rest_api.support.cors import OtherOrigins
from rest_api.support.operations import Operation
from rest_api.support.router import OperationRouter
from rest_api.templates.routes import operations as templates
from rest_api.wallet.routes import operations as wallet
from rest_api.webhooks.routes import operations as webhooks

OPERATIONS: tuple[Operation, ...] = (
    *accounts,
    *api_keys,
    *audit,
    *decisions,
    *contacts,
    *contact_imports,
    *privacy,
    *lists,
    *segments,
    *journeys,
    *journey_runs,
    *journey_rehearsals,
    *customer_events,
    *companies,
    *pipelines,
    *cards,
    *activities,
    *card_files,
    *sms,
    *smpp,
    *email.operations,
    *rcs,
    *push_devices,
    *push,
    *push_settings,
    *numbers,
    *media,
    *templates,
    *flows,
    *conversations,
    *conversations_inbound,
    *conversation_batches,
    *exports,
    *short_links.operations,
    *quotes,
    *wallet,
    *sandbox_clock,
    *webhooks,
)


class Service(Starlette):
    """Starlette without its middleware stack: every answer, refusals included, is made by our own
    endpoints.
    """

    for_other_origins: ASGIApp
    wrapped: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self
        try:
            await self.wrapped(scope, receive, send)
        finally:
            # Its traceback names the scope: each would keep the other in memory.
            scope.pop(UNEXPECTED, None)

    def dispatch(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """The application itself, inside of any middleware of the operator's."""
        entrance = self.for_other_origins if current().cors_origins else self.router
        return entrance(scope, receive, send)


def create_app() -> Service:
    """A new application; uvicorn calls this once per process."""
    app = Service(lifespan=lifespan)
    app.state.stopping = Stopping()
    routes = [
        *home.routes,
        *health.routes,
        *metrics.routes,
        *gateway.routes,
        *amazon.routes,
        *payments.routes,
        *smtp.routes,
        *meta.routes,
        *email.routes,
        *short_links.routes,
        *blobs.routes,
        *docs.routes,
        *console.routes,
        *account_page.routes,
        *problems.routes,
        *graphql.routes,
        openapi.route_for(OPERATIONS),
    ]
    app.router = OperationRouter(OPERATIONS, routes, lifespan=lifespan)
    app.for_other_origins = OtherOrigins(app.router)
    app.wrapped = with_middleware(app.dispatch, current())
    return app
