export const words = {
  curves: {
    title: 'Training curves',
    none: 'Curves appear with the first steps.',
    loss: 'Loss',
    eval_loss: 'Evaluation loss',
    learning_rate: 'Learning rate',
    tokens_per_second: 'Tokens per second',
    learningRate: 'Learning rate',
    speed: 'Tokens per second',
    step: 'Step',
    resumed: 'Run %{run} continued after step %{step}.',
    broken:
      'At step %{step} the loss was not a number. |||| From step %{step} on, the loss was not a number at %{smart_count} steps.',
  },
  logged: {
    title: 'Logged by the program',
    lead: 'With MLflow: the last value of each name. Of artifacts, only names and sizes are kept.',
    none: 'The program of this run has logged nothing yet.',
    sort: 'Type',
    value: 'Value',
    atStep: '%{value} at step %{step}',
    param: 'Parameter',
    tag: 'Tag',
    metric: 'Metric',
    artifact: 'Artifact',
  },
} as const;
