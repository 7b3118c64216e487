"""Who is a machine."""

import pytest

from core.short_links.bots import is_bot

BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)"
WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
IPHONE = f"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) {WEBKIT}"
CHROME = f"Mozilla/5.0 (Linux; Android 14; Pixel 8) {BLINK} Chrome/126.0.0.0 Mobile Safari/537.36"
PEOPLE = [
    CHROME,
    f"{IPHONE} Version/17.5 Mobile/15E148 Safari/604.1",
    f"{IPHONE} GSA/320.0 Mobile/15E148 Safari/604.1",
    f"{IPHONE} Mobile/15E148 Instagram 338.0.0.0 (iPhone14,5; iOS 17_5; pt_BR)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {BLINK} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
    f"Mozilla/5.0 (Linux; Android 9; CUBOT_X19) {BLINK} Chrome/120.0.0.0 Mobile Safari/537.36",
    f"Mozilla/5.0 (Linux; Android 13; CUBOT NOTE) {BLINK} Chrome/120.0.0.0",
    f"Mozilla/5.0 (Linux; Android 14; SM-A546E) {BLINK} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
    f"Mozilla/5.0 (Linux; Android 14; SM-A546E; wv) {BLINK} Version/4.0 Chrome/126.0.0.0 [FB_IAB/FB4A;FBAV/470.0;]",
    "Opera/9.80 (Android; Opera Mini/36.2/191.273; U; pt) Presto/2.12.423 Version/12.16",
    "Nokia6230i/2.0 (03.88) Profile/MIDP-2.0 Configuration/CLDC-1.1",
    "SonyEricssonW580i/R8BE Browser/NetFront/3.4 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.3.2",
    "UCWEB/2.0 (Java; U; MIDP-2.0; pt-BR; nokiac3-00) U2/1.0.0 UCBrowser/9.4.1.482 U2/1.0.0 Mobile",
]
MACHINES = [
    "",
    " ",
    "-",
    "Mozilla/5.0",
    "Mozilla/4.0 (compatible;)",
    "WhatsApp/2.24.11.79 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    f"{IPHONE} Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0",
    "meta-externalagent/1.1",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Slack-ImgProxy (+https://api.slack.com/robots)",
    "Twitterbot/1.0",
    "TelegramBot (like TwitterBot)",
    "LinkedInBot/1.0",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "SkypeUriPreview Preview/0.5",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Google-PageRenderer Google",
    f"Mozilla/5.0 (Linux; Android 7.0; SM-G930V) {BLINK} Chrome/126.0.0.0 Mobile (compatible; Google-Read-Aloud)",
    "AdsBot-Google",
    f"Mozilla/5.0 (X11; Linux x86_64) {BLINK} HeadlessChrome/126.0.0.0 Safari/537.36",
    "Mozilla/5.0 (compatible; Bytespider)",
    "Mozilla/5.0 (compatible; BarracudaCentral)",
    "Mozilla/5.0 zgrab/0.x",
    "Mozilla/5.0 (compatible; CensysInspect/1.1)",
    "curl/8.7.1",
    "Wget/1.21",
    "python-requests/2.32.3",
    "Python/3.11 aiohttp/3.9.5",
    "Go-http-client/2.0",
    "okhttp/4.12.0",
    "Dalvik/2.1.0 (Linux; U; Android 14; SM-A546E Build/UP1A)",
    "MobileSMS/1.0 CFNetwork/1496 Darwin/23.5.0",
    "Java/17.0.9",
    "axios/1.7.2",
]


@pytest.mark.parametrize("user_agent", PEOPLE)
def test_browsers_of_people_are_no_bots(user_agent: str) -> None:
    assert not is_bot(user_agent)


@pytest.mark.parametrize("user_agent", MACHINES)
def test_previews_scanners_and_programs_are_bots(user_agent: str) -> None:
    assert is_bot(user_agent)


@pytest.mark.parametrize("user_agent", [machine.upper() for machine in MACHINES])
def test_capitals_do_not_matter(user_agent: str) -> None:
    assert is_bot(user_agent)


def test_whoever_asks_for_no_page_is_a_bot() -> None:
    assert is_bot(CHROME, "HEAD")


@pytest.mark.parametrize("purpose", ["prefetch", "prefetch;prerender", "Prefetch", "preview"])
def test_a_page_that_is_loaded_ahead_was_not_opened(purpose: str) -> None:
    assert is_bot(CHROME, "GET", purpose)


def test_an_endless_user_agent_is_not_read_to_its_end() -> None:
    assert not is_bot(CHROME + " " * 2_000_000 + "bot")
