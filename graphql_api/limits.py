"""What a document may ask for, held against it before anything runs."""

from strawberry.extensions import AddValidationRules, MaxAliasesLimiter, QueryDepthLimiter

from core.foundation.errors import FieldError, ValidationFailed

DEPTH = 8
ALIASES = 15
TOKENS = 2_000
LARGEST_PAGE = 100

# Built once: rules are a part of the validation cache's key, and new ones for each request would miss it every time.
RULES = [
    *QueryDepthLimiter(max_depth=DEPTH).validation_rules,
    *MaxAliasesLimiter(max_alias_count=ALIASES).validation_rules,
]


class DocumentLimits(AddValidationRules):
    """Depth and aliases."""

    def __init__(self) -> None:
        super().__init__(RULES)


def page_size(first: int) -> int:
    """The length of a page, or ValidationFailed when it is not from 1 to 100."""
    if not 1 <= first <= LARGEST_PAGE:
        wrong = FieldError("parameter", "first", "out_of_range", f"Ask for 1 to {LARGEST_PAGE}")
        raise ValidationFailed(errors=[wrong])
    return first
