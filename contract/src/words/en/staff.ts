// What the platform's staff do with what tenants have, as both are told.

/** Whether the operator works on an object. */
export const pauses = {
  pauseReconciling: 'Pause reconciling',
  resumeReconciling: 'Resume reconciling',
};

/** In the bell of the organisation's members. */
export const sentences = {
  commandTitle: '%{kind} %{name}: “%{command}” by platform staff',
  command: '%{who} (%{role}) gave the command “%{command}” to %{kind} %{name}. Reason: %{reason}',
  drainTitle: 'Platform staff are emptying the node of instance %{name}',
  drain:
    '%{who} (%{role}) is emptying the node that instance %{name} runs on. Its files are saved, and it starts again as soon as there is room. Reason: %{reason}',
};
