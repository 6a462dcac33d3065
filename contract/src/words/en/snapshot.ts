// Words of Snapshot.
import { REGISTRY } from '../../names.ts';

export const name = 'Snapshot';
export const many = 'Snapshots';

export const phases = {
  failed: 'Failed',
  processing: 'Saving',
  success: 'Pushed',
  ready: 'Saved',
};

export const reasons = {
  Waiting: 'Saving has not begun yet.',
  Saving: 'The files are being saved.',
  SavingLog: 'The log is being saved.',
  Pushed: 'The image is in the registry and is being verified.',
  Saved: 'Saved as %{digest}, and verified.',
  LogSaved: 'The log is in the registry.',
  Retrying: 'Saving failed and will be retried: %{detail}',
  ContainerGone: 'The container is gone from its node; its changes can no longer be saved.',
  SourceGone: 'spec.from: the registry no longer has %{image}.',
  LogGone: 'The log is gone from its node.',
  NotSaveable: 'It cannot be saved: %{detail}',
  Refused: 'Saving it is not allowed: %{detail}',
};

export const actions = {};

export const rules = {
  specFixed: 'spec cannot be changed: a save captures one moment',
  savedOf: 'spec.from is for a Copy; spec.node, spec.podName and spec.podUID are for all others',
  savedLog: 'a Log goes to spec.target, whose name ends in .log; spec.log belongs to a Root',
  savedFrom: `from must be an image of ${REGISTRY} by its digest`,
  savedTo: `target must be ${REGISTRY}/<namespace>/<name>:<tag>`,
  logTo: `log must be ${REGISTRY}/<namespace>/<name>:<tag>`,
};
