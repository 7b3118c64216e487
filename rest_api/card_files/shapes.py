"""The file shapes."""

from rest_api.support.shapes import Listed, Out, Timestamp


class CardFile(Out):
    """A file of a card. `mimeType` is read from its bytes; `tamanho` is in bytes."""

    id: str
    card_id: str
    nome: str
    mime_type: str
    tamanho: int
    sha256: str
    created_by_id: str
    created_at: Timestamp


class OpenableFile(CardFile):
    """With `url`, which opens the file for an hour without a credential."""

    url: str


class CardFilePage(Listed):
    """Newest first."""

    items: list[OpenableFile]
    total: int
    next_cursor: str | None = None
