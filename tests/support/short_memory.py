"""`svc` whose processes know within a second of where an organization lives: a test of a move cannot wait half a minute
for them.
"""

from cli.app import main
from core.cells import directory
from core.moves import operate
from core.moves.mover import Pauses

directory.CELLS_SECONDS = 0.5
directory.PLACE_SECONDS = 0.3
operate.usual_pauses = lambda: Pauses(draining=1.5, closing=0.3, gone=3.0)

if __name__ == "__main__":
    main()
