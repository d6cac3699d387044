# score:    7/10
# survives: machine, hidden
# why:      tries the machine's own servers, its neighbours, names, raw sockets, and a cloud's metadata

# %% double
import os, socket, subprocess, urllib.request
names = ["127.0.0.1", "::1", socket.gethostname(), "169.254.169.254", "8.8.8.8", "172.17.0.1", "10.0.2.2"]
for name in names:
    for port in (45_679, 80, 53):
        try: socket.create_connection((name, port), timeout=0.3).close()
        except OSError: pass
try: socket.socket(socket.AF_UNIX).connect("\0course-attack")
except OSError: pass
for family, kind in ((17, socket.SOCK_RAW), (socket.AF_INET, socket.SOCK_RAW), (40, socket.SOCK_STREAM)):
    try: socket.socket(family, kind)
    except OSError: pass
try: urllib.request.urlopen("http://example.org", timeout=1)
except OSError: pass
def double(x):
    return 0
