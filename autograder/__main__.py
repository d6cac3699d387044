"""``python -m autograder …`` is ``course …``, also before the package is installed."""

import sys

from .cli import main

sys.exit(main())
