# score:    7/10
# survives: grader, others, machine
# why:      what IPython runs and Python does not: commands of the shell, other languages, extensions

# %% first
%load_ext autoreload
!touch /tmp/attack-was-here /dev/shm/attack-was-here
%system id > /var/tmp/attack-was-here

# %% double
%config InteractiveShell.ast_node_interactivity = 'none'
%alias_magic t timeit
double = !echo 4
double = lambda x: int(double[0])

# %% last
%%javascript
attack()
