"""Examples of docstrings as blocks of code, roles of Sphinx as code: for the reference, by griffe."""

import re

import griffe

_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)
_ROLE = re.compile(r":(?:meth|class|func|attr):`([^`]+)`")


class Examples(griffe.Extension):
    def on_instance(self, *, obj, **_):
        if obj.docstring:
            text = _ROLE.sub(r"`\1`", obj.docstring.value)
            obj.docstring.value = _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", text)
