"""Keys of accounts that only these tests know."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from core.providers.push import PushNotification


def _pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.fixture(scope="session")
def rsa_key() -> str:
    """A private key as Google issues it."""
    return _pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))


@pytest.fixture(scope="session")
def ec_key() -> str:
    """A private key as Apple issues it."""
    return _pem(ec.generate_private_key(ec.SECP256R1()))


@pytest.fixture
def notification() -> PushNotification:
    return PushNotification(
        "psh_6yHn4TgB8rFvEdC2wSxQa",
        "Só hoje",
        "Frete grátis",
        "loja://ofertas",
        "https://cdn.example.com/a.png",
        ({"label": "Ver", "link": "loja://ofertas"},),
    )


@pytest.fixture
def silent() -> PushNotification:
    return PushNotification("psh_6yHn4TgB8rFvEdC2wSxQa", "", "", "loja://sync", silent=True)
