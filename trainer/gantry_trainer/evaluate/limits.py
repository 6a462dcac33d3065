"""Every bound of evaluations, in one place. A value that a tenant can choose has its limit in recipe.py."""

from gantry_worker.limits import MIB

SUBJECTS = 8
TASKS = 16
# What is asked, as JSON: a request to a model may have 1 MiB.
QUESTION_BYTES = MIB - 8 * 1024
EXPECTED_BYTES = MIB
ANSWER_BYTES = 512 * 1024
# Of one part's answers; the gateway takes parts of 4 MiB.
PART_BYTES = 2 * MIB

# Of each text that ROUGE-L compares.
ROUGE_TOKENS = 20_000
DRAWS = 1_000
# With fewer, not even a change of all rows to the better is beyond chance at 5 % (sign test).
COMPARED_ROWS = 6

# What a judge says of its reasons, and the tokens of its whole answer.
REASON_CHARS = 400
JUDGE_TOKENS = 600
RUBRIC_CHARS = 8_000

# Of a text in the examples.
EXAMPLE_CHARS = 20_000
GROUP_ROWS = 2_000
GROUP_CHARS = 2 * MIB
