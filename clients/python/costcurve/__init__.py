"""A client of costcurve's HTTP interface. Needs Python 3.11 and nothing else."""

from .client import Client
from .transport import Problem

__all__ = ["Client", "Problem"]
