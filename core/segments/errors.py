"""What is refused about segments."""

from core.foundation.errors import Conflict, ValidationFailed


class SegmentNameTaken(Conflict):
    default_detail = "Another segment has this name; choose one that is free."


class UnusableReference(ValidationFailed):
    default_detail = (
        "A condition names a segment that does not exist, or one that is built on this one; "
        "name another, at most five on top of each other."
    )

    def __init__(self) -> None:
        super().__init__(meta={"code": "VINCULO_INVALIDO"})


class TooLarge(ValidationFailed):
    default_detail = "With the segments that it is built on, the filter is too large; simplify it."

    def __init__(self) -> None:
        super().__init__(meta={"code": "FILTRO_COMPLEXO"})
