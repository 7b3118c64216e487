"""All the sentences together: those of every file beside this one."""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

FILES = tuple(
    import_module(f"{__package__}.{found.name}")
    for found in iter_modules([str(Path(__file__).parent)])
    if found.name != "catalogue"
)

SENTENCES: dict[str, str] = {}
for file in FILES:
    SENTENCES |= file.SENTENCES
