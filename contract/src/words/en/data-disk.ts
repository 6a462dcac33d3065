// Words of DataDisk.
import * as credit from './credit.ts';

export const name = 'Disk';

export const phases = {
  releasing: 'Releasing',
  inactive: 'Inactive',
  mounted: 'Mounted',
  active: 'Active',
};

export const reasons = {
  Available: 'The disk can be mounted.',
  WaitsForMount: 'The disk can be mounted; its volume is made at the first mount.',
  Mounted: 'The disk is mounted by %{by}.',
  MountsAtNextStart: 'The disk is kept for %{by}, and mounted there at the next start.',
  Releasing: 'The disk and all its data are being removed.',
  InUse: 'The disk is removed once %{by} has let it go.',
  Released: 'Everything is removed; the last use is being billed.',
  Making: 'The disk is being made.',
  Provisioning: 'The volume is being made.',
  NotProvisioned: 'The storage does not make the volume; it goes on trying.',
  ClaimGoing: 'The claim of the disk was deleted from outside; it is gone once nobody holds it any more.',
  DiskLost:
    'The claim of the disk was deleted from outside. Its data is not replaced by an empty disk: delete the disk, or have its volume given back.',
  VolumeLost:
    'The volume %{volume} of the disk is gone, and its data with it. Delete the disk, or ask platform staff to restore the volume.',
  StorageClassNotFound: 'spec.storageClassName: there is no storage class %{name}.',
  QuotaExceeded: "The organisation's quota is used up: %{detail}",
  Refused: 'The cluster refuses the disk: %{detail}',
  NameTaken: 'Another object already has the name %{name}.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty sizes are not billed yet; the disk grows when they are.',
  // Reasons of the condition Resized.
  Resized: 'The volume has the wanted size.',
  Resizing: 'The volume grows from %{from} to %{to} GiB.',
  ResizeWaitsForMount: 'The volume has grown; its file system follows when it is next mounted.',
  ResizeFailed: 'spec.sizeGi: the volume cannot be made larger: %{detail}',
  // Reasons of the condition SizeEnforced.
  SizeEnforced: 'The file system ends at the size of the disk.',
  SizeNotEnforced: 'The storage does not hold the disk to its size: its file system has %{total} GiB.',
  SizeSmaller: 'When it was last measured the file system had %{total} GiB.',
  SizeUnmeasured: 'Nobody has measured the file system yet.',
  // Reasons of the condition TiedToNode.
  TiedToNode: 'The volume is on node %{node}: whoever mounts the disk runs there.',
  TiedToNodes: 'The volume can be reached from some nodes only: %{terms}.',
  NotTied: 'Every node can mount the disk.',
  NoVolume: 'There is no volume yet.',
  // Reasons of the condition FilesAvailable.
  FilesReady: 'The file server answers.',
  FilesStarting: 'The file server is starting.',
  FilesInUse: 'The disk has one writer, and that is %{by}: use sftp there.',
  FilesUntilMalformed: 'spec.files.until: %{value} is not a date and time such as 2027-01-31T09:00:00Z.',
  FilesTooLong: 'spec.files.until may be at most %{hours} hours ahead.',
  FilesFailed: 'The file server cannot run: %{detail}',
};

export const actions = {
  edit: 'Edit',
  release: 'Delete',
};

export const rules = {
  sizeGrows: 'sizeGi can only grow: a smaller disk would lose data',
  accessFixed: 'access cannot be changed: make another disk',
  classFixed: 'storageClassName cannot be changed: make another disk',
  name: 'metadata.name must be at most 50 lower-case letters, digits and -: the claim and the file server add to it',
};
