# exercise: rules
# score:    8/8
# why:      lets TensorFlow answer, one call at a time
def apply_rules(cards, requests):
    made, gpus = stand_in(cards)
    piece = tf.config.LogicalDeviceConfiguration

    def call(request):
        match request:
            case ["growth", card]:
                made.set_memory_growth(gpus[card], True)
            case ["limits", card, limits]:
                made.set_logical_device_configuration(gpus[card], [piece(limit) for limit in limits])
            case ["visible", chosen]:
                made.set_visible_devices([gpus[card] for card in chosen], "GPU")
            case _:
                first_op(made)

    def answer(request):
        try:
            call(request)
        except RuntimeError:
            return "too late"
        except ValueError as error:
            text = str(error)
            return "has limits" if "configured" in text else "differs" if "differ" in text else "limit missing"
        return "ok"

    return [answer(request) for request in requests]
