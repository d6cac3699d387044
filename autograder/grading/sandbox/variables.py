"""What a submission's kernel finds in its environment."""

from __future__ import annotations

# Quiet TensorFlow, and the same devices on every machine: nothing graded depends on a GPU.
ENVIRONMENT = {
    "TF_CPP_MIN_LOG_LEVEL": "1",
    "CUDA_VISIBLE_DEVICES": "-1",
    "NBGRADER_EXECUTION": "autograde",
    "PYTHONHASHSEED": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",
}
PASSED_ON = (*ENVIRONMENT, "NBGRADER_VALIDATING", "MPLBACKEND")


def scrubbed(environment: dict[str, str]) -> dict[str, str]:
    """Of ``environment``, what may enter a sandbox: names on the list alone, so no token or path of the grader."""
    return {key: value for key, value in environment.items() if key in PASSED_ON}
