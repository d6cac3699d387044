# exercise: observe
# score:    0/7
# fails:    observe-processes: a text is not what the program printed
# fails:    observe-masks: neutral
# fails:    observe-together: neutral
# fails:    observe-environment: not what the children print
# fails:    observe-own: neutral
# why:      counts the masks and starts nothing
def observe(program, masks):
    return [str(number) for number, _ in enumerate(masks)]
