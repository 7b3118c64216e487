"""The sentences of the service in Brazilian Portuguese, by the English ones: one file for each
domain.
"""

from core.foundation.language.pt_br.catalogue import FILES, SENTENCES

__all__ = ["FILES", "SENTENCES"]
