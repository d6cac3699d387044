# exercise: rules
# score:    8/8
# why:      asks the record of devices itself, without tf.config
def apply_rules(cards, requests):
    context, gpus = stand_in(cards)
    piece = tf.config.LogicalDeviceConfiguration
    calls = {
        "growth": lambda card: context.set_memory_growth(gpus[card], True),
        "limits": lambda card, limits: context.set_logical_device_configuration(
            gpus[card], [piece(memory_limit=mib) for mib in limits]),
        "visible": lambda chosen: context.set_visible_devices([gpus[card] for card in chosen], "GPU"),
        "start": lambda: first_op(context),
    }
    answers = []
    for kind, *rest in requests:
        try:
            calls[kind](*rest)
        except (ValueError, RuntimeError) as error:
            text = str(error)
            if "virtual devices configured" in text:
                answers.append("has limits")
            elif "Setting memory limit" in text:
                answers.append("limit missing")
            elif "differ" in text:
                answers.append("differs")
            else:
                answers.append("too late")
        else:
            answers.append("ok")
    return answers
