"""The sandbox: where a submission's code runs, and what it can reach from there (nothing but itself).

``choose_kernels`` is the way in; ``probe`` says whether isolation works here.
"""

from .checker_process import Checker
from .folders import scratch_folder
from .kernels import ColdKernels, Kernels, WarmKernels, choose_kernels, not_for_submissions
from .other_user import refuse_unless_closed
from .probe import Isolation, probe
from .resources import Resources
from .warm import imported

__all__ = [
    "Checker",
    "ColdKernels",
    "Isolation",
    "Kernels",
    "Resources",
    "WarmKernels",
    "choose_kernels",
    "imported",
    "not_for_submissions",
    "probe",
    "refuse_unless_closed",
    "scratch_folder",
]
