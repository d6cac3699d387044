"""Starts a kernel that a notebook takes for Colab's: by its shell's class. Runs in the environment like Colab's."""

from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell
from traitlets import Type

Shell = type("Shell", (ZMQInteractiveShell,), {"__module__": "google.colab._shell"})


class Kernel(IPythonKernel):
    shell_class = Type(Shell)  # type: ignore[assignment]


IPKernelApp.launch_instance(kernel_class=Kernel)
