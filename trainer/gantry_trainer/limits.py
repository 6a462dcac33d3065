"""Every bound of the trainer, in one place. A value that a tenant can choose has its limit in recipe.py."""

MIB = 1024 * 1024
GIB = 1024 * MIB

# Of one row: the time that the template may take.
ROW_SECONDS = 10
# Of the child that reads tables and renders: what it allocates.
RENDER_BYTES = 8 * GIB
ROWS_AT_ONCE = 256
# Of all datasets together, with their weights.
EXAMPLES = 100_000_000

PREVIEW_ROWS = 5
PREVIEW_TOKENS = 4_096

# Between two points of a curve, but for the first and the last.
POINT_SECONDS = 0.5
# One after the other, before a run is given up.
BROKEN_LOSSES = 3
REHEARSED_STEPS = 3
# Recent steps that the time left is computed from.
PACE_STEPS = 50
# Losses kept in a checkpoint; the journal has all that anybody sees.
LOG_KEPT = 100
