"""The results of a study as an xarray.Dataset."""

from __future__ import annotations

import numpy as np
import xarray

from ._errors import Error
from ._study_tasks import study_of
from .study import StudyResults


class StudyDataset(StudyResults, xarray.Dataset):
    """With a dimension for each name of a grid, of samples with the dimension ``row``; units are in ``attrs``.

    What is made of it, as a selection, is a Dataset of this kind too; a page is made of the whole alone.
    """

    __slots__ = ()

    def _text(self) -> str:
        return self.attrs.get("study", "")

    def _flat(self, name: str) -> np.ndarray:
        for needed in ("reason", name):  # the reasons have all dimensions
            if needed not in self.variables:
                raise Error(f"this is a part of a study: it has no {needed!r}")
        whole = self["reason"]
        varied = [one for one, _, kind in study_of(self._text()).columns if kind == "varied" and one in whole.dims]
        return np.ravel(self[name].broadcast_like(whole).transpose(*(varied or whole.dims)).values)

    def _repr_html_(self) -> str:
        from ._notebook import page_in_frame

        try:
            return page_in_frame(self)
        except Error:  # a part
            return super()._repr_html_()
