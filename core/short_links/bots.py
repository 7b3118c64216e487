"""Telling people from machines that open links: previews, scanners, search engines, programs.

A heuristic that errs towards people: a recipient who is taken for a machine is lost from the
numbers for good, while a machine that is taken for a recipient shows in the user agents of the
events and can be added here.
"""

import re

MAX_INSPECTED = 1024
"""Characters of a user agent that are looked at; no browser comes near it."""

PREVIEWS = (
    "whatsapp/", "facebookexternalhit", "facebookcatalog", "meta-external", "slack-imgproxy",
    "embedly", "iframely",
    "vkshare", "flipboardproxy", "quora link", "preview", "snippet", "mastodon/",
    "google-", "-google", "googleother", "google favicon", "googleimageproxy",
)  # fmt: skip
ROBOTS = (
    r"(?<!cu)bots?(?:\b|_)",  # Cubot is a telephone
    r"spiders?(?:\b|_)", "crawl", "slurp", "archiver", "feedfetcher",
    r"https?://",  # programs of good manners say where to complain
)  # fmt: skip
SCANNERS = (
    "barracuda", "proofpoint", "mimecast", "trendmicro", "symantec", "forcepoint", "websense",
    "bluecoat", "cloudmark",
    "fireeye", "trustwave", "netcraft", "virustotal", "urlscan", "phishtank", "checkmarknetwork",
    "safebrowsing",
    "safe-browsing", "linkcheck", "link check", "urlcheck", "censys", "shodan", "expanse",
    "paloalto", "palo alto",
    "detectify", "qualys", "acunetix", "nessus", "nikto", "nmap", "masscan", "zgrab", "zmap",
    "sqlmap", "nuclei",
    "wpscan", "netsparker", "internetmeasurement", "microsoft office", "msoffice", "ms-office",
)  # fmt: skip
MONITORS = (
    "pingdom", "statuscake", "site24x7", "newrelic", "datadog", "gtmetrix", "lighthouse",
    "pagespeed", "monitor",
    "uptime",
)  # fmt: skip
PROGRAMS = (
    "headless", "phantomjs", "slimerjs", "puppeteer", "playwright", "selenium", "webdriver",
    "cypress",
    "curl/", "wget", r"python[-/ ]", "aiohttp", "httpx/", "urllib", "requests/", "scrapy",
    "go-http-client", "okhttp",
    "dalvik/", "cfnetwork", r"\bjava/[0-9]", "apache-http", "jakarta", "libwww", "lwp::",
    r"\bperl", "node-fetch",
    "undici", "axios", r"\bgot[ /(]", "superagent", "guzzle", r"\bphp/", r"\bruby", "faraday",
    r"\bdart[:/]",
    "winhttp", "powershell", "postman", "insomnia", "httpie", "httpunit", "htmlunit",
    "rest-client", "reqwest",
    "hyper/", "fetch",
)  # fmt: skip

# Written in small letters and asked of small letters: the flag would make the search three times
# slower.
_MACHINE = re.compile("|".join((*PREVIEWS, *ROBOTS, *SCANNERS, *MONITORS, *PROGRAMS)))
_SAYS_NOTHING = re.compile(r"(?:-|mozilla/[0-9.]*\s*(?:\(compatible;?\))?)?\Z")


def is_bot(user_agent: str, method: str = "GET", purpose: str = "") -> bool:
    """Whether a request for a link is a machine's: it asks for no page, says nothing of itself, or
    says what it is.

    `purpose` is what browsers send that load an address before anybody opened it (Sec-Purpose).
    """
    if method != "GET" or "prefetch" in purpose.lower() or "preview" in purpose.lower():
        return True
    looked_at = user_agent[:MAX_INSPECTED].strip().lower()
    return _SAYS_NOTHING.match(looked_at) is not None or _MACHINE.search(looked_at) is not None
