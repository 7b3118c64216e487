"""Examples of short links."""

LINKS = {
    "items": [
        {
            "shortUrl": "https://svc.example/l/YCXtNzQenU",
            "url": "https://example.com/orders/1042",
            "clicks": 3,
            "botClicks": 1,
            "lastClickedAt": "2026-11-21T03:09:02.481Z",
        }
    ]
}
