"""The limit on open files and connections of this process (RLIMIT_NOFILE), raised where allowed."""

import resource

import structlog

log = structlog.get_logger()

RECOMMENDED_OPEN_FILES = 4_096
"""A worker may wait for a thousand webhooks and for five hundred answers of a provider, beside its
database; an API has a connection for each client.
"""
MAX_OPEN_FILES = 65_536
"""More than a process of ours can use; where there is no limit, this is asked for."""


def most_open_files() -> int:
    """What this process may raise its limit to, or has already."""
    return max(map(_number, resource.getrlimit(resource.RLIMIT_NOFILE)))


def raise_open_files() -> None:
    """Take what the system allows, up to `MAX_OPEN_FILES`, and log the limit that holds. Before a
    process opens anything.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit, wanted = _number(soft), min(_number(hard), MAX_OPEN_FILES)
    if limit < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            limit = wanted
        except (OSError, ValueError):  # macOS has no limit and yet one
            log.debug("open_files_kept", wanted=wanted)
    if limit < RECOMMENDED_OPEN_FILES:
        log.warning("open_files", limit=limit, wanted=RECOMMENDED_OPEN_FILES)
    else:
        log.info("open_files", limit=limit)


def _number(limit: int) -> int:
    return MAX_OPEN_FILES if limit == resource.RLIM_INFINITY else limit
