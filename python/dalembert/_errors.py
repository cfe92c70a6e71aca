"""What goes wrong."""

from __future__ import annotations

import re

_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")


def in_python(text: str) -> str:
    """Options of the command line as what they are here, keywords.

    >>> in_python("--sample needs --runs"), in_python("--set l: there is no"), in_python("a longer --output-step")
    ('sample needs runs', 'l: there is no', 'a longer output_step')
    """
    return _OPTION.sub(lambda option: option[1].replace("-", "_"), text.replace("--set ", ""))


class Error(ValueError):
    """A mistake in a model or in a call.

    ``message`` is what is wrong; ``file``, ``line`` and ``column`` say where it stands in the text of a model (line 0:
    not known), ``excerpt`` shows the line with a caret below the place.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0, excerpt: str = ""):
        message, file = in_python(message), in_python(file)
        super().__init__(message, file, line, column, excerpt)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.excerpt = excerpt

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}\n{self.excerpt}" if self.excerpt else text


class ModelError(Error):
    """A model that is wrong.

    >>> import dalembert as dal
    >>> try:
    ...     dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="k*x")
    ... except dal.ModelError as error:
    ...     print(error.message, "in line", error.line)
    unknown name 'k'; known: x in line 6
    """


class SolveError(Error):
    """A call that cannot be answered: an option that its method does not have, a start that meets no constraint."""


class Warning(UserWarning):
    """What the library noticed, and the user should know."""


for _one in (Error, ModelError, SolveError, Warning):
    _one.__module__ = "dalembert"  # as users know them
