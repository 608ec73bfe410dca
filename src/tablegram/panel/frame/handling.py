"""The types that handlers name to get what they need."""

from __future__ import annotations

from typing import Any, TypeAlias

from litestar import Request
from litestar.datastructures import State
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from tablegram.panel.deps import PanelDeps
from tablegram.panel.visitor import Guest, Visitor

# What we provide ourselves needs no check by the framework, which would take the dataclasses apart.
PageRequest: TypeAlias = Request[Any, Any, State]
DepsOf: TypeAlias = NamedDependency[SkipValidation[PanelDeps]]
VisitorOf: TypeAlias = NamedDependency[SkipValidation[Visitor]]
GuestOf: TypeAlias = NamedDependency[SkipValidation[Guest]]
