// Words of Snapshot.
import { REGISTRY } from '../../names.ts';

export const name = 'Snapshot';

export const phases = {
  failed: 'Failed',
  processing: 'Saving',
  success: 'Pushed',
  ready: 'Saved',
};

export const reasons = {
  Waiting: 'Nobody has begun to save it yet.',
  Saving: 'The files are being saved.',
  Pushed: 'The image is in the registry; it is being read back.',
  Saved: 'Saved as %{digest}, and read back.',
  Retrying: 'It could not be saved yet and is tried again: %{detail}',
  ContainerGone: 'The container is gone from its node; what it had changed cannot be saved any more.',
  SourceGone: 'spec.from: the registry no longer has %{image}.',
  NotSaveable: 'It cannot be saved: %{detail}',
  Refused: 'It may not be saved: %{detail}',
};

export const actions = {};

export const rules = {
  specFixed: 'spec cannot be changed: a save is about one moment',
  savedOf: 'spec.from belongs to a Copy; spec.node, spec.podName and spec.podUID to a Root or a Home',
  savedFrom: `from must be an image of ${REGISTRY} by its digest`,
  savedTo: `target must be ${REGISTRY}/<namespace>/<name>:<tag>`,
};
