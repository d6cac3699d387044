"""What one submission may use of the machine."""

from __future__ import annotations

import os
from dataclasses import dataclass

MIB = 1 << 20
CPUS = os.cpu_count() or 1  # each of TensorFlow's processes has pools of so many threads
KERNEL_BYTES = 1_500_000_000  # that a kernel has at most; TensorFlow imported, a lesson's work done


@dataclass(frozen=True)
class Resources:
    """Limits of one submission, of all its processes together unless said otherwise.

    The system enforces some (``rlimits``, the size of the memory disk); the watchdog enforces the others within about
    a tenth of a second; where forks share much memory, within ``watchdog.COUNTING_SECONDS``.
    """

    memory_bytes: int = 4096 * MIB
    table_bytes: int = 128 * MIB  # page tables, of mapped files too; a process with TensorFlow has 2 MiB
    processes: int = 64
    threads: int = 1500 + 40 * CPUS  # lesson 06 has 720 at a time with 2 processors, 2100 with 64
    open_files: int = 1024  # of each process
    all_open_files: int = 16_384  # of all; what waits in a pipe is memory that no process is seen to have
    sockets: int = 4000  # and in a socket, too, also after both its ends are closed
    disk_bytes: int = 512 * MIB
    file_bytes: int = 256 * MIB  # of each file
    files: int = 50_000

    def rlimits(self, seconds: float) -> dict[str, int]:
        """What the system enforces, as ``{name of an RLIMIT_ constant: value}``; ``seconds`` is the whole run's limit.

        There is no limit on address space: TensorFlow maps far more than it uses.
        """
        return {
            "CORE": 1,  # with 0 a program of the system's that takes dumps over would be started for each crash
            "CPU": int(seconds * CPUS) + 10,
            "FSIZE": self.file_bytes,
            "NOFILE": self.open_files,
            "NPROC": self.threads,
            "RTPRIO": 0,
            "MEMLOCK": 8 * MIB,
            "SIGPENDING": 1000,  # timers, too; Linux adds up those of all sandboxes
            "MSGQUEUE": 0,
        }


# Of a checker: it runs TensorFlow's sessions and starts nothing.
CHECKER = Resources(
    processes=4, threads=500 + 20 * CPUS, open_files=256, disk_bytes=16 * MIB, file_bytes=MIB, files=1000
)
