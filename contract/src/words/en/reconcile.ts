// Why the operator does not apply changes to an object.

export const reasons = {
  PlanFailed:
    'Gantry cannot process this object because of an internal fault, so changes to it are not applied. What is running keeps running until it is shut down, deleted or out of credit.',
  PlanFailedEnded:
    'Gantry cannot process this object because of an internal fault. Its container was stopped because the object was shut down, deleted or out of credit; what the container changed will be saved once the fault is fixed.',
  PlanFailedUnbilled:
    'Gantry cannot process this object because of an internal fault. Its container was stopped because its use cannot be recorded; what the container changed will be saved once the fault is fixed.',
  TooManyWrites:
    'This object changes too often. Gantry processes it only every %{seconds} seconds until it has not changed for a minute.',
};
