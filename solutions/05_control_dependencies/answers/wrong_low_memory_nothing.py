# exercise: low_memory
# score:    2/8
# fails:    low_memory-limit, low_memory-early, low_memory-window
# says:     no matrix waits for any step
# why:      returns the graph as it is

def low_memory(sizes, limit):
    return all_at_once(sizes)
