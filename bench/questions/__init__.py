"""Every question that can be asked of the lists and statistics, made from what the service says of
itself.
"""

from bench.questions.by_nature import BY_NATURE, is_by_nature
from bench.questions.console import console_questions
from bench.questions.gathered import gather
from bench.questions.graphql import graphql_questions
from bench.questions.question import Question
from bench.questions.rest import previews, rest_questions
from bench.questions.samples import NoSample, Samples, read_samples

__all__ = [
    "BY_NATURE",
    "NoSample",
    "Question",
    "Samples",
    "console_questions",
    "gather",
    "graphql_questions",
    "is_by_nature",
    "previews",
    "read_samples",
    "rest_questions",
]
