// Words of Image.
import * as credit from './credit.ts';

export const name = 'Image';

export const phases = {
  failed: 'Failed',
  processing: 'Processing',
  success: 'Pulled',
  ready: 'Ready',
};

export const reasons = {
  Verified: 'A container started from %{digest}.',
  Verifying: 'The image is being pulled and started once.',
  WaitsForTurn: "The organisation's other images are being checked, %{most} at a time. This one waits its turn.",
  ...credit.reasons,
  WaitingForSave: 'The instance %{instance} is being saved.',
  Copying: 'What the instance %{instance} saved is being copied to spec.source.',
  CopyRetrying: 'It could not be copied yet and is tried again: %{detail}',
  CopyFailed: 'It could not be copied to spec.source: %{detail} Make another Image to try again.',
  InstanceNotFound: 'spec.fromInstance: there is no instance %{instance} here. Make another Image to try again.',
  NothingSaved:
    'spec.fromInstance: nothing of the instance %{instance} is saved: %{detail} Make another Image to try again.',
  SourceTaken: 'spec.source: the Image %{image} goes there already. Make another Image with another source.',
  Pulled: 'The image was pulled; its container is starting.',
  ImageNotFound: 'spec.source: %{image} cannot be pulled: %{detail}',
  PullSecretNotFound: 'spec.pullSecret: there is no Secret %{secret} here.',
  NotBootable: 'No container can be started from the image: %{detail}',
  NoDigest: 'spec.source: the registry of %{image} names no digest, so nobody could say what was checked.',
  Exited: 'The container started from the image ended: %{ended}.',
  TooLarge:
    'spec.source: the image is %{size} GiB, and the limit is %{most} GiB. Make another Image from a smaller one.',
  GivenUp:
    'The check failed %{times} times and is not repeated. To try again, make another Image or change spec.pullSecret. The last failure: %{detail}',
  NoAgent: 'The platform image %{image} cannot be pulled. Platform staff must fix this.',
  Interrupted: 'The check was interrupted: %{detail}',
  CheckLost: 'The check was interrupted: its container was taken away.',
  Refused: 'The cluster refuses the check: %{detail}',
  NameTaken: 'Another object already has the name %{name}.',
};

export const actions = {
  release: 'Delete',
};

export const rules = {
  sourceFixed: 'source cannot be changed: make another Image',
  fromInstanceFixed: 'fromInstance cannot be changed: make another Image',
  name: 'metadata.name may have at most 50 characters: the check adds to it',
};
