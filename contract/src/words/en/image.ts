// Words of Image.
import * as credit from './credit.ts';

export const name = 'Image';
export const many = 'Images';

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
  Copying: 'The files that the instance %{instance} saved are being copied to spec.source.',
  CopyRetrying: 'Copying failed and will be retried: %{detail}',
  CopyFailed: 'It could not be copied to spec.source: %{detail} Create another image to try again.',
  InstanceNotFound: 'spec.fromInstance: there is no instance %{instance} here. Create another image to try again.',
  NothingSaved:
    'spec.fromInstance: the instance %{instance} has nothing saved: %{detail} Create another image to try again.',
  SourceTaken: 'spec.source: the image %{image} already uses this address. Create another image with another source.',
  Pulled: 'The image was pulled; its container is starting.',
  ImageNotFound: 'spec.source: %{image} cannot be pulled: %{detail}',
  PullSecretNotFound: 'spec.pullSecret: there is no Secret %{secret} here.',
  NotBootable: 'No container can be started from the image: %{detail}',
  NoDigest: 'spec.source: the registry of %{image} reports no digest, so the checked content cannot be identified.',
  Exited: 'The container started from the image ended: %{ended}.',
  TooLarge:
    'spec.source: the image is %{size} GiB, and the limit is %{most} GiB. Use a smaller one, and create another image for it.',
  GivenUp:
    'The check failed %{times} times and is not repeated. To try again, create another image or change spec.pullSecret. The last failure: %{detail}',
  NoAgent: 'The platform image %{image} cannot be pulled. Platform staff must fix this.',
  Interrupted: 'The check was interrupted: %{detail}',
  CheckLost: 'The check was interrupted: its container was removed.',
  Refused: 'The cluster refuses the check: %{detail}',
  NameTaken: 'Another object already has the name %{name}.',
};

export const actions = {
  release: 'Delete',
};

export const rules = {
  sourceFixed: 'source cannot be changed: create another image',
  fromInstanceFixed: 'fromInstance cannot be changed: create another image',
  name: 'metadata.name may have at most 50 characters: names derived from it are longer',
};
