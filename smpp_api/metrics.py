"""What is counted of SMPP, on both sides of the service."""

from core.foundation.observability.metrics import Counter, Gauge, Histogram

BINDS = Gauge("svc_smpp_binds", "Binds of clients that are open.", ("mode",))
FULL_BINDS = Gauge("svc_smpp_full_binds", "Binds whose window is full, looked at every second.")
BIND_REFUSALS = Counter("svc_smpp_bind_refusals_total", "Binds that were not let in.", ("cause",))
SUBMITS = Counter("svc_smpp_submits_total", "Messages and parts that clients sent.", ("status",))
SECONDS = Histogram(
    "svc_smpp_submit_seconds",
    "From the arrival of a submit to its answer.",
    bounds=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
DELIVERIES = Counter(
    "svc_smpp_deliveries_total", "Receipts and replies that were handed to clients.", ("ended",)
)
LINK_BINDS = Gauge(
    "svc_smpp_link_binds", "Binds at operators that are open for messages.", ("link",)
)
LINK_SUBMITS = Counter(
    "svc_smpp_link_submits_total", "Messages and parts that operators were handed.", ("answer",)
)
LINK_REPORTS = Counter(
    "svc_smpp_link_reports_total", "Receipts and replies that operators told.", ("kind",)
)
LINK_QUERIES = Counter(
    "svc_smpp_link_queries_total",
    "Parts without a receipt that operators were asked about.",
    ("told",),
)
