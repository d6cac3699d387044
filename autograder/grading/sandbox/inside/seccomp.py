"""System calls that a submission's processes may not make: what opens new namespaces, other processes' memory, or
seldom used corners of the kernel. No lesson needs one. The filter is classic BPF, made here without a library.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import struct
from collections.abc import Mapping
from typing import Any

from . import system

# {name: (number on x86-64, number on arm64)}; None where the processor has no such call
DENIED = {
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97),
    "setns": (308, 268), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273),
    "delete_module": (176, 106), "syslog": (103, 116), "acct": (163, 89), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "quotactl": (179, 60), "quotactl_fd": (443, 443),
    "fanotify_init": (300, 262), "lookup_dcookie": (212, 18), "nfsservctl": (180, 42), "vhangup": (153, 58),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "clock_adjtime": (305, 266), "adjtimex": (159, 171),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "uselib": (134, None),
    "sethostname": (170, 161), "setdomainname": (171, 162), "personality": (135, 92),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "migrate_pages": (256, 238), "move_pages": (279, 239),
    # memory that belongs to no process, so that the watchdog would not see it
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186),
    "semget": (64, 190),
    # a byte of a page, of a file that is gone, keeps all of it where it waits in a pipe or a socket
    "vmsplice": (278, 75), "splice": (275, 76), "tee": (276, 77), "sendfile": (40, 71),
    "landlock_create_ruleset": (444, 444), "landlock_add_rule": (445, 445), "landlock_restrict_self": (446, 446),
    # what the system counts for the whole machine, or for a user's processes in all sandboxes and outside
    "inotify_init": (253, None), "inotify_init1": (294, 26), "io_setup": (206, 0),
    "seccomp": (317, 277),  # memory for compiled filters
}  # fmt: skip
CLONE, CLONE3, SOCKET, CLOSE_RANGE = (56, 220), 435, (41, 198), 436  # newer calls have one number everywhere
NOTES = ((188, 5), (189, 6), (190, 7))  # setxattr, lsetxattr, fsetxattr: on a memory disk nothing counts them
UNKNOWN = 454  # calls from here on came after Linux 6.6; whoever tries them does without where there are none
CLOSE_RANGE_UNSHARE = 2
FCNTL = (72, 25)
PRCTL = (157, 167)
PR_SET_CHILD_SUBREAPER = 36  # whoever has it can keep orphans out of a look's sight
PR_SET_SECCOMP, UNKNOWN_PRCTL = 22, 62  # what came later asks for memory (a table of futexes), or concerns others
SETSOCKOPT = (54, 208)
SETRLIMIT, PRLIMIT, RLIMIT_CORE = (160, 164), (302, 261), 4  # this limit stays (see Resources), and may be asked for
MOST_PROTOCOL = 17  # UDP; what comes behind keeps data in ways of its own (SCTP, MPTCP)
MMAP = (9, 222)
MAP_SHARED, MAP_ANONYMOUS = 0x01, 0x20
LOCKS = (6, 7, 37, 38)  # F_SETLK and F_SETLKW, of processes and of open files
LEASES = (1024, 1040)  # F_SETLEASE and F_SETDELEG: whoever opens the file then, anywhere on the machine, waits
MACHINES = {"x86_64": (0, 0xC000_003E), "aarch64": (1, 0xC000_00B7)}  # column above; the kernel's name of the ABI
NEW_NAMESPACES = (
    system.CLONE_NEWNS | system.CLONE_NEWCGROUP | system.CLONE_NEWUTS | system.CLONE_NEWIPC
    | system.CLONE_NEWUSER | system.CLONE_NEWPID | system.CLONE_NEWNET
)  # fmt: skip
# Others (raw packets, the virtual machine's own sockets, the kernel's ciphers) do not stop at a network namespace
FAMILIES = (socket.AF_UNIX, socket.AF_INET, getattr(socket, "AF_INET6", 10), getattr(socket, "AF_NETLINK", 16))

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
NUMBER_OFFSET, ABI_OFFSET, FIRST_ARGUMENT, SECOND_ARGUMENT, THIRD_ARGUMENT, FOURTH_ARGUMENT = 0, 4, 16, 24, 32, 40
X32_CALLS = 0x4000_0000  # a second table of calls on x86-64, which would pass by the numbers above
SECCOMP_SET_MODE_FILTER = 1
# {level: options} that may be set. Others attach compiled filters, keep pages as splice does (SO_ZEROCOPY), or keep the
# other end's word that it has ended from a closed socket (IP_MINTTL, keys, interfaces), which then stays for days.
OPTIONS = {
    socket.SOL_SOCKET: (
        *(socket.SO_REUSEADDR, socket.SO_BROADCAST, socket.SO_KEEPALIVE, socket.SO_OOBINLINE, socket.SO_LINGER),
        *(15, 16, 18, 20, 21, 29, 66, 67),  # SO_REUSEPORT, _PASSCRED, _RCVLOWAT, two timeouts, _TIMESTAMP, the timeouts
    ),
    socket.IPPROTO_IP: (1, 2, 8, 10, 11, 12, 13, 24, 32, 33, 34, 35, 36),  # IP_TOS, … and what is about multicast
    41: (17, 18, 19, 20, 21, 25, 26, 49, 66, 67),  # multicast, IPV6_RECVERR, _V6ONLY, _RECVPKTINFO, two of classes
    socket.IPPROTO_TCP: (1, 3, 4, 5, 6, 7, 8, 9, 12, 18, 23, 30),  # TCP_NODELAY, … _USER_TIMEOUT, two of FASTOPEN
}
SIZES = (socket.SO_SNDBUF, socket.SO_RCVBUF)  # stay as they are: on newer systems 8 MB may wait in each socket
DONE = ERROR  # an error of number 0: the call says that it did what was asked for


def available() -> bool:
    """Whether this processor's system calls are known here."""
    return platform.machine() in MACHINES


def program() -> bytes:
    """The filter for this processor as BPF instructions of 8 bytes each."""
    column, abi = MACHINES[platform.machine()]
    lines = [(LOAD, 0, 0, ABI_OFFSET), (EQUAL, 1, 0, abi), (RETURN, 0, 0, KILL), (LOAD, 0, 0, NUMBER_OFFSET)]
    if platform.machine() == "x86_64":
        lines += [(AT_LEAST, 0, 1, X32_CALLS), (RETURN, 0, 0, KILL)]
    for numbers in DENIED.values():
        if (number := numbers[column]) is not None:
            lines += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | errno.EPERM)]
    for numbers in NOTES:
        lines += [(EQUAL, 0, 1, numbers[column]), (RETURN, 0, 0, ERROR | errno.EOPNOTSUPP)]
    lines += [(AT_LEAST, 0, 1, UNKNOWN), (RETURN, 0, 0, ERROR | errno.ENOSYS)]
    invalid = ERROR | errno.EINVAL
    refused = {PR_SET_SECCOMP: invalid, PR_SET_CHILD_SUBREAPER: invalid, (AT_LEAST, UNKNOWN_PRCTL): invalid}
    unknown = _decide(FIRST_ARGUMENT, refused, ALLOW)
    lines += [(EQUAL, 0, len(unknown), PRCTL[column]), *unknown]
    no_option = ERROR | errno.ENOPROTOOPT
    options = [(LOAD, 0, 0, SECOND_ARGUMENT)]
    for level, allowed in OPTIONS.items():
        sizes = dict.fromkeys(SIZES, DONE) if level == socket.SOL_SOCKET else {}
        inner = _decide(THIRD_ARGUMENT, sizes | dict.fromkeys(allowed, ALLOW), no_option)
        options += [(EQUAL, 0, len(inner), level), *inner]
    options += [(RETURN, 0, 0, no_option)]
    lines += [(EQUAL, 0, len(options), SETSOCKOPT[column]), *options]
    limits = _decide(FIRST_ARGUMENT, {RLIMIT_CORE: DONE}, ALLOW)
    lines += [(EQUAL, 0, len(limits), SETRLIMIT[column]), *limits]
    limits = [(LOAD, 0, 0, SECOND_ARGUMENT), (EQUAL, 0, 5, RLIMIT_CORE)]
    limits += [
        (LOAD, 0, 0, THIRD_ARGUMENT),
        (EQUAL, 0, 2, 0),
        (LOAD, 0, 0, THIRD_ARGUMENT + 4),
        (EQUAL, 1, 0, 0),
        (RETURN, 0, 0, DONE),
        (RETURN, 0, 0, ALLOW),
    ]
    lines += [(EQUAL, 0, len(limits), PRLIMIT[column]), *limits]
    # libc falls back to clone, whose flags can be read here
    lines += [(EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ERROR | errno.ENOSYS)]
    # a thread shares its process's table of open files: the watchdog counts those of processes. Memory that goes from
    # process to process, each of which ends at once, would never be where it looks; with CLONE_VFORK the first waits
    lines += [(EQUAL, 0, 8, CLONE[column]), (LOAD, 0, 0, FIRST_ARGUMENT), (ANY_BIT, 4, 0, NEW_NAMESPACES)]
    lines += [(ANY_BIT, 0, 1, system.CLONE_THREAD), (ANY_BIT, 3, 2, system.CLONE_FILES)]
    lines += [(ANY_BIT, 0, 2, system.CLONE_VM), (ANY_BIT, 1, 0, system.CLONE_VFORK)]
    lines += [(RETURN, 0, 0, ERROR | errno.EPERM), (RETURN, 0, 0, ALLOW)]
    lines += [(EQUAL, 0, 4, CLOSE_RANGE), (LOAD, 0, 0, THIRD_ARGUMENT), (ANY_BIT, 0, 1, CLOSE_RANGE_UNSHARE)]
    lines += [(RETURN, 0, 0, ERROR | errno.EPERM), (RETURN, 0, 0, ALLOW)]
    # locks of parts of a file: there may be any number of them, in memory that belongs to no process
    locks = _decide(SECOND_ARGUMENT, dict.fromkeys((*LOCKS, *LEASES), ERROR | errno.ENOLCK), ALLOW)
    lines += [(EQUAL, 0, len(locks), FCNTL[column]), *locks]
    # memory that processes share belongs to none that has let go of it; /dev/zero, the other way to it, is not there
    lines += [(EQUAL, 0, 5, MMAP[column]), (LOAD, 0, 0, FOURTH_ARGUMENT), (ANY_BIT, 0, 2, MAP_ANONYMOUS)]
    lines += [(ANY_BIT, 0, 1, MAP_SHARED), (RETURN, 0, 0, ERROR | errno.EPERM), (RETURN, 0, 0, ALLOW)]
    others = {(AT_LEAST, MOST_PROTOCOL + 1): ERROR | errno.EPROTONOSUPPORT}
    protocols = _decide(THIRD_ARGUMENT, others, ALLOW)
    lines += [(EQUAL, 0, 2 + len(FAMILIES) + len(protocols), SOCKET[column]), (LOAD, 0, 0, FIRST_ARGUMENT)]
    lines += [(EQUAL, len(FAMILIES) - place, 0, int(family)) for place, family in enumerate(FAMILIES)]
    lines += [(RETURN, 0, 0, ERROR | errno.EAFNOSUPPORT), *protocols, (RETURN, 0, 0, ALLOW)]
    return b"".join(struct.pack("HBBI", code, yes, no, value) for code, yes, no, value in lines)


def _decide(argument: int, results: Mapping[Any, int], otherwise: int) -> list[tuple[int, int, int, int]]:
    """Lines that end the filter by an argument. ``results``: of single values, or ``(AT_LEAST, value)``: from it on."""
    lines = [(LOAD, 0, 0, argument)]
    for value, result in results.items():
        test, number = value if isinstance(value, tuple) else (EQUAL, int(value))
        lines += [(test, 0, 1, number), (RETURN, 0, 0, result)]
    return [*lines, (RETURN, 0, 0, otherwise)]


def apply() -> None:
    """Filter this process and all that it starts, for good. Needs ``no_new_privs``."""
    instructions = program()
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    header = struct.pack("HxxxxxxP", len(instructions) // 8, ctypes.addressof(buffer))
    system.syscall("seccomp", SECCOMP_SET_MODE_FILTER, 0, header)
