"""What developers have in the console: keys that are shown once, webhooks with their deliveries,
why a signature does not fit, why something was not sent, accounts of SMPP, and the sandbox's clock.
"""

import json
import re
from collections.abc import Callable
from secrets import token_hex

import httpx
import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.browser.barriers import barriers
from tests.browser.console_visits import DESK, PHONE, at_work, fits, is_settled, operations_of
from tests.browser.test_account_page import PASSWORD
from tests.browser.visits import Visit
from tests.support.dev import Dev
from tests.support.processes import svc
from tests.support.receiver import Arrival, a_receiver, signed_by
from tests.support.waiting import eventually


async def is_clean(page: Page) -> None:
    await is_settled(page)
    assert (await fits(page), await barriers(page)) == (True, [])


async def test_a_key_is_shown_once_exchanged_and_revoked(browser: Browser, site: Dev) -> None:
    async with at_work(browser, site, "/console/desenvolvedor") as visit:
        page = visit.page
        dialog = page.get_by_role("dialog")
        await is_clean(page)
        await page.get_by_role("button", name="New key").click()
        await dialog.get_by_role("button", name="Create").click()
        await expect(dialog.get_by_label("Name")).to_have_attribute("aria-invalid", "true")
        await dialog.get_by_label("Name").fill("Shop")
        await dialog.get_by_role("button", name="Read only").click()
        await expect(dialog.get_by_label("contacts:read")).to_be_checked()
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="Create").click()
        secret = await dialog.locator(".secret").inner_text()
        assert await barriers(page) == []
        await dialog.get_by_role("button", name="I have kept it").click()
        assert secret not in await page.content() + await visit.kept()

        async def opens(key: str) -> bool:
            async with httpx.AsyncClient(base_url=site.url) as api:
                answer = await api.get("/contacts", headers={"Authorization": f"Bearer {key}"})
                return answer.status_code == 200

        assert await opens(secret)
        await page.get_by_role("button", name="Rotate key Shop").click()
        await dialog.get_by_label("Overlap").fill("1")
        await dialog.get_by_role("button", name="Rotate").click()
        newer = await dialog.locator(".secret").inner_text()
        await dialog.get_by_role("button", name="I have kept it").click()
        assert newer != secret
        assert await opens(newer)

        await page.get_by_role("button", name="Revoke key Shop").first.click()
        await dialog.get_by_role("button", name="Revoke").click()
        await visit.hears("Key revoked")
        await expect(page.get_by_role("row", name=re.compile("^Shop.*Revoked"))).to_be_visible()
        assert not await opens(newer)


Said = Callable[[str, str], str]


async def subscribe(page: Page, url: str, said: Said) -> str:
    """Try an address and subscribe it to new contacts: the secret."""
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name=said("Novo webhook", "New webhook")).click()
    await dialog.get_by_label(said("Endereço", "Address")).fill(url)
    await dialog.get_by_role("button", name=said("Testar", "Try the address")).click()
    await expect(dialog.get_by_role("status")).to_contain_text("200")
    await dialog.get_by_label("contact.created").check()
    assert await barriers(page) == []
    await dialog.get_by_role("button", name=said("Criar", "Create"), exact=True).click()
    secret = await dialog.locator(".secret").inner_text()
    await dialog.get_by_role("button", name=said("Já guardei", "I have kept it")).click()
    await expect(page.get_by_role("heading", name=url)).to_be_visible()
    return secret


async def unsubscribe(page: Page, said: Said) -> str:
    """Pause the webhook of the page, exchange its secret, and remove it: the other secret."""
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name=said("Pausar", "Pause")).click()
    await expect(page.get_by_role("button", name=said("Reativar", "Resume"))).to_be_visible()
    await page.get_by_role("button", name=said("Trocar segredo", "Rotate secret")).click()
    await dialog.get_by_role("button", name=said("Trocar segredo", "Rotate secret")).click()
    secret = await dialog.locator(".secret").inner_text()
    await dialog.get_by_role("button", name=said("Já guardei", "I have kept it")).click()
    await page.get_by_role("button", name=said("Remover", "Remove")).click()
    await dialog.get_by_role("button", name=said("Remover", "Remove")).click()
    await expect(page).to_have_url(re.compile("aba=webhooks"))
    return secret


async def its_signature_is_examined(page: Page, arrival: Arrival, secret: str) -> None:
    """Of what a server received: as it came, with a body that was changed, with another secret."""
    headers = page.get_by_label("Headers as received")
    await headers.fill("\n".join(f"{name}: {value}" for name, value in arrival.headers.items()))
    await page.get_by_label("Body as received").fill(arrival.body.decode())
    own = page.get_by_label("Secret that your server uses")
    await own.fill(f" {secret}")
    examine = page.get_by_role("button", name="Examine")
    await examine.click()
    verdicts = page.locator(".verdict")
    await expect(verdicts).to_have_text(
        ["The signature fits.", re.compile("space or a line break around it")]
    )
    await is_clean(page)
    await page.get_by_label("Body as received").fill(arrival.body.decode() + " ")
    await own.fill(secret)
    await examine.click()
    await expect(verdicts).to_have_text(
        ["The body was changed on its way", re.compile("does not make this signature")]
    )
    await headers.fill(json.dumps({"X-SVC-Webhook-Id": "wbh_none"}))
    await examine.click()
    await expect(verdicts).to_have_text(["Headers are missing"])


async def is_delivered(page: Page, count: int) -> None:
    """So many deliveries have arrived, and the page tells it."""

    async def told() -> bool:
        await page.reload()
        await is_settled(page)
        return await page.locator(".table .badge.good").count() == count

    await eventually(told, "it is delivered", every=0.3)


@pytest.mark.parametrize(("locale", "width"), [("pt-BR", PHONE), ("en-US", DESK)])
async def test_a_webhook_is_subscribed_tried_and_its_deliveries_are_sent_again(
    browser: Browser, site: Dev, locale: str, width: int
) -> None:
    portuguese = locale == "pt-BR"

    def said(pt: str, en: str) -> str:
        return pt if portuguese else en

    path = "/console/desenvolvedor?aba=webhooks"
    async with (
        at_work(browser, site, path, locale=locale, width=width) as visit,
        a_receiver() as receiver,
    ):
        page = visit.page
        await is_clean(page)
        secret = await subscribe(page, receiver.url, said)
        asked = operations_of(page)
        await page.reload()
        await is_clean(page)
        assert asked == ["WebhookPage"]
        assert secret not in await page.content() + await visit.kept()

        dialog = page.get_by_role("dialog")
        await page.get_by_role("button", name=said("Enviar amostra", "Send a sample")).click()
        await dialog.get_by_role("button", name=said("Enviar", "Send"), exact=True).click()
        await expect(dialog.get_by_role("status")).to_contain_text("200")
        assert signed_by(secret, receiver.arrivals[-1])
        await page.keyboard.press("Escape")

        async with httpx.AsyncClient(base_url=site.url) as api:
            body = {"phone": f"+55119{91234560 + portuguese}", "name": "Told"}
            headers = {"Authorization": f"Bearer {site.key}"}
            assert (await api.post("/contacts", json=body, headers=headers)).is_success
        await is_delivered(page, 1)
        await page.locator(".table-link").click()
        await expect(page.get_by_role("heading", name="contact.created")).to_be_visible()
        await expect(page.locator(".attempts li")).to_have_count(1)
        await expect(page.locator("pre").filter(has_text='"contact.created"')).to_be_visible()
        await is_clean(page)
        await page.get_by_role("button", name=said("Reenviar", "Replay")).click()
        await expect(page).to_have_url(re.compile("/desenvolvedor/webhooks/"))
        await is_delivered(page, 2)
        await expect(page.locator(".table .tag")).to_have_text(said("Reenvio", "Replay"))
        if not portuguese:
            here = page.url.removeprefix(visit.url)
            await visit.open("/console/desenvolvedor?aba=assinatura")
            await its_signature_is_examined(page, receiver.arrivals[-1], secret)
            assert secret not in await visit.kept()
            await visit.open(here)
            await is_settled(page)
        assert await unsubscribe(page, said) != secret
        await expect(page.get_by_text(receiver.url)).to_have_count(0)


async def test_why_something_was_not_sent_is_found_by_request_and_by_contact(
    browser: Browser, site: Dev
) -> None:
    async with httpx.AsyncClient(base_url=site.url) as api:
        headers = {"Authorization": f"Bearer {site.key}"}
        body = {"phone": "+5511987600042", "name": "Asked about"}
        contact = (await api.post("/contacts", json=body, headers=headers)).json()
        refused = await api.post(
            "/v2/sms/messages",
            json={"to": "+5511987600042", "body": "Oi", "route": "la_dedicada"},
            headers=headers | {"Idempotency-Key": "why-not"},
        )
        problem = refused.json()
    async with at_work(
        browser, site, "/console/desenvolvedor?aba=decisoes", width=PHONE, locale="pt-BR"
    ) as visit:
        page = visit.page
        await is_clean(page)
        field = page.get_by_label("Número do pedido ou id")
        for asked in (problem["requestId"], problem["meta"]["decisaoId"], contact["id"]):
            await field.fill(asked)
            await field.press("Enter")
            await expect(page).to_have_url(re.compile(f"q={asked}"))
            story = page.locator(".decision").filter(has_text=problem["meta"]["decisaoId"])
            await expect(story).to_contain_text("Parou aqui")
            await expect(story).to_contain_text("O que fazer")
        await is_clean(page)
        await field.fill("req_nobody")
        await field.press("Enter")
        await expect(page.get_by_text("Nada com este número")).to_be_visible()


async def with_somebody_bound(route: Route) -> None:
    """The accounts, as if a client were bound and had left a receipt behind."""
    answer = await route.fetch()
    told = await answer.json()
    data = told.get("data") or {}
    if "smppAccounts" in data:
        [account] = data["smppAccounts"]["nodes"]
        at = "2026-01-01T12:00:00.000Z"
        bind = {"id": "bnd_1", "mode": "TRANSCEIVER", "peer": "10.0.0.7:40112", "submits": 12}
        bind |= {"deliveries": 3, "openedAt": at, "heardAt": at, "__typename": "SmppBind"}
        account["binds"] = [bind]
        account["outbox"] |= {"waiting": 2, "oldestAt": at}
        waits = {"id": "1", "accountId": account["id"], "kind": "RECEIPT", "status": "DEAD"}
        waits |= {"messageId": "msg_1", "attempts": 3, "createdAt": at, "dueAt": None}
        data["smppOutbox"]["nodes"] = [waits | {"__typename": "SmppDelivery"}]
    await route.fulfill(response=answer, json=told)


async def an_account_is_opened(page: Page, visit: Visit) -> str:
    """Its name; the password is shown once, and kept nowhere."""
    dialog = page.get_by_role("dialog")
    await page.get_by_role("button", name="Nova conta SMPP").click()
    await dialog.get_by_label("system_id").fill("x")
    await dialog.get_by_label("Endereços IP").fill("aqui")
    await dialog.get_by_role("button", name="Criar").click()
    await expect(dialog.get_by_label("Endereços IP")).to_have_attribute("aria-invalid", "true")
    assert await barriers(page) == []
    name = f"loja_{token_hex(3)}"
    await dialog.get_by_label("system_id").fill(name)
    await dialog.get_by_label("Endereços IP").fill("10.0.0.0/8")
    await dialog.get_by_role("button", name="Criar").click()
    password = await dialog.locator(".secret").inner_text()
    await dialog.get_by_role("button", name="Já guardei").click()
    assert password not in await page.content() + await visit.kept()
    return name


async def its_binds_are_seen(visit: Visit, name: str) -> None:
    """Who is bound, what waits, and the end of the account."""
    page = visit.page
    dialog = page.get_by_role("dialog")
    await page.route("**/graphql", with_somebody_bound)
    await page.get_by_role("button", name=f"Alterar {name}").click()
    await dialog.get_by_label("Binds ao mesmo tempo").fill("2")
    await dialog.get_by_role("button", name="Alterar").click()
    card = page.get_by_role("region", name=name)
    await expect(card).to_contain_text("1 de 2 binds")
    await expect(card.get_by_role("row").last).to_contain_text("10.0.0.7:40112")
    waiting = page.get_by_role("region", name="O que ninguém recebeu ainda")
    await expect(waiting).to_contain_text("Desistiu")
    await is_clean(page)
    await waiting.get_by_role("button", name=f"Entregar de novo a {name}").click()
    await visit.hears("saem agora")
    await page.unroute_all(behavior="wait")
    await page.get_by_role("button", name=f"Revogar {name}").click()
    await dialog.get_by_role("button", name="Revogar").click()
    await expect(card.get_by_role("button")).to_have_count(0)


async def the_clock_is_moved(page: Page) -> None:
    """Thirty days on; never back."""
    face = page.locator(".clock-face")
    await expect(face).to_contain_text("Hora real")
    before = await face.locator("b").inner_text()
    await is_clean(page)
    await page.get_by_role("button", name="Parar").click()
    await expect(face).to_contain_text("Parado")
    await page.get_by_role("button", name="+30 dias").click()
    await expect(face.locator("b")).not_to_have_text(before)
    await expect(face).to_contain_text("Pronto")
    await page.get_by_label("Adiantar até").fill("2020-01-01T10:00")
    await page.get_by_role("button", name="Adiantar", exact=True).click()
    await expect(page.get_by_role("alert").locator(".notice.bad")).to_be_visible()
    await is_clean(page)


async def test_smpp_and_the_clock_of_an_organization_of_its_own(
    browser: Browser, site: Dev
) -> None:
    email = f"rita.{token_hex(4)}@example.com"
    words = ["org", "create", "Relojoaria", "--email", email, "--password", "-"]
    status, _, err = await svc(words, environment=site.environment, typed=PASSWORD)
    assert status == 0, err
    path = "/console/desenvolvedor?aba=smpp"
    async with at_work(
        browser, site, path, scheme="dark", width=PHONE, locale="pt-BR", email=email
    ) as visit:
        page = visit.page
        await expect(page.get_by_text("Nenhuma conta SMPP")).to_be_visible()
        await is_clean(page)
        name = await an_account_is_opened(page, visit)
        await its_binds_are_seen(visit, name)
        await page.get_by_role("link", name="Relógio").click()
        await the_clock_is_moved(page)
