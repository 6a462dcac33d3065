// Staff's actions on tenants' objects, in the words that both sides read.

/** Whether the operator works on an object. */
export const pauses = {
  pauseReconciling: 'Pause reconciling',
  resumeReconciling: 'Resume reconciling',
};

/** In the bell of the organisation's members. */
export const sentences = {
  commandTitle: '%{kind} %{name}: “%{command}” by platform staff',
  command: '%{who} (%{role}) gave the command “%{command}” to %{kind} %{name}. Reason: %{reason}',
  drainTitle: 'Platform staff are emptying the node of %{kind} %{name}',
  drain:
    '%{who} (%{role}) is emptying the node that instance %{name} runs on. Its files are saved, and it starts again as soon as there is room. Reason: %{reason}',
  drainJob:
    '%{who} (%{role}) is emptying a node that job %{name} runs on. Its workers start again on other nodes as soon as there is room. Reason: %{reason}',
  drainService:
    '%{who} (%{role}) is emptying a node that service %{name} runs on. Its replicas there are replaced as soon as there is room. Reason: %{reason}',
};
