"""The kernels that a Jupyter server of the course starts; ``jupyter_server_config.json`` names the class."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager

LAUNCHERS = ("ipykernel_launcher", "ipykernel")
START = Path(__file__).with_name("start_kernel.py")


class SafeStart(KernelSpecManager):
    """Python kernels that run nothing of a notebook's folder when the notebook is only opened."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        spec: KernelSpec = super().get_kernel_spec(kernel_name)
        spec.argv = started_by_path(spec.argv)
        return spec


def started_by_path(command: list[str]) -> list[str]:
    """A kernel's command with our start of ipykernel in place of ``-m ipykernel_launcher``; else as it is."""
    for at, (option, module) in enumerate(pairwise(command)):
        if option == "-m" and module in LAUNCHERS:
            return [*command[:at], str(START), *command[at + 2 :]]
    return command
