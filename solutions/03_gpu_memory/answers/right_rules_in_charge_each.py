# exercise: rules
# score:    8/8
# why:      tf.config, with the stand-ins in charge for each call
ERRORS = [("Cannot set memory growth", "has limits"), ("memory limit is required", "limit missing"),
          ("growth cannot differ", "differs"), ("cannot be modified", "too late")]

def apply_rules(cards, requests):
    made, gpus = stand_in(cards)
    said = []
    for request in requests:
        try:
            with in_charge(made):
                if request[0] == "growth":
                    tf.config.experimental.set_memory_growth(gpus[request[1]], True)
                if request[0] == "limits":
                    tf.config.experimental.set_virtual_device_configuration(
                        gpus[request[1]],
                        [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=m) for m in request[2]])
                if request[0] == "visible":
                    tf.config.set_visible_devices([g for i, g in enumerate(gpus) if i in request[1]], "GPU")
                if request[0] == "start":
                    first_op(made)
            said.append("ok")
        except Exception as error:
            said.append([word for part, word in ERRORS if part in str(error)][0])
    return said
