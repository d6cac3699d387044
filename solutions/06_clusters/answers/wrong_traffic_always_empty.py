# exercise: traffic
# score:    0/9
# fails:    traffic-weights, traffic-none, traffic-dtypes, traffic-back
# says:     the list is not always empty
# why:      leaves out every value, not only those that stay in their task
def traffic(data, fetch):
    return []
