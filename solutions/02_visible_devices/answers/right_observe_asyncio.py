# exercise: observe
# score:    7/7
# why:      asyncio starts and reads the children, in a loop of its own thread
import asyncio
import os
import sys
import threading

def observe(program, masks):
    async def one(mask):
        environment = dict(os.environ)
        if mask is not None:
            environment |= {"CUDA_VISIBLE_DEVICES": mask}
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-c", program, env=environment, stdout=asyncio.subprocess.PIPE)
        out, _ = await child.communicate()
        return out.decode().strip()

    async def together():
        return await asyncio.gather(*map(one, masks))

    result = {}

    def work():
        try:
            result["texts"] = asyncio.run(together())
        except Exception as error:
            result["error"] = error

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if "error" in result:
        raise result["error"]
    return list(result["texts"])
