"""Which record the fields of the query type are asked for."""

PREFIX_OF = {
    "account": "acc",
    "card": "crd",
    "company": "emp",
    "contact": "cnt",
    "decision": "dec",
    "flow": "flw",
    "journey": "jor",
    "journeyForecast": "jor",
    "journeyRun": "run",
    "list": "lst",
    "message": "msg",
    "messageBatch": "btc",
    "node": "cnt",
    "number": "num",
    "numberHealth": "num",
    "numberUsage": "num",
    "numberUsageSeries": "num",
    "pipeline": "pip",
    "quote": "qte",
    "segment": "seg",
    "smppAccount": "smp",
    "template": "tpl",
    "webhook": "wbh",
    "webhookDelivery": "dlv",
}
"""The prefix of the id that a field takes, of a record with much below it."""
