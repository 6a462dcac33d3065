// Words of DataDisk.
import * as credit from './credit.ts';

export const name = 'Disk';
export const many = 'Disks';

export const phases = {
  releasing: 'Releasing',
  inactive: 'Inactive',
  mounted: 'Mounted',
  active: 'Active',
};

export const reasons = {
  Available: 'The disk can be mounted.',
  WaitsForMount: 'The disk can be mounted; its volume is created at the first mount.',
  Mounted: 'The disk is mounted by %{by}.',
  MountsAtNextStart: 'The disk is reserved for %{by} and will be mounted there at the next start.',
  Releasing: 'The disk and all its data are being deleted.',
  InUse: 'The disk will be deleted once %{by} has released it.',
  Released: 'Everything has been deleted; the final usage is being billed.',
  Making: 'The disk is being created.',
  Provisioning: 'The volume is being created.',
  NotProvisioned: 'The storage system has not been able to create the volume; it keeps trying.',
  ClaimGoing: "The disk's claim was deleted outside Gantry. The disk will be gone once nothing uses it.",
  DiskLost:
    "The disk's claim was deleted outside Gantry. It is not replaced by an empty disk: delete the disk, or ask platform staff to restore its volume.",
  VolumeLost:
    "The disk's volume %{volume} is gone, and its data with it. Delete the disk, or ask platform staff to restore the volume.",
  StorageClassNotFound: 'spec.storageClassName: there is no storage class %{name}.',
  QuotaExceeded:
    "The organisation's quota does not allow it: %{detail}. Request less, release what is not needed, or ask the provider for a larger quota.",
  Refused: 'The cluster refuses the disk: %{detail}',
  NameTaken: 'Another object already has the name %{name}.',
  ...credit.reasons,
  UsageNotPosted: 'Fifty changes of size are waiting to be billed; the disk grows once they are.',
  // Reasons of the condition Resized.
  Resized: 'The volume has the requested size.',
  Resizing: 'The volume is growing from %{from} to %{to} GiB.',
  ResizeWaitsForMount: 'The volume has grown; its file system grows when the disk is next mounted.',
  ResizeFailed: 'spec.sizeGi: the volume cannot be enlarged: %{detail}',
  // Reasons of the condition SizeEnforced.
  SizeEnforced: 'The file system is limited to the size of the disk.',
  SizeNotEnforced: 'The storage system does not enforce the size of the disk: its file system has %{total} GiB.',
  SizeSmaller: 'When last measured, the file system had %{total} GiB.',
  SizeUnmeasured: 'The file system has not been measured yet.',
  // Reasons of the condition TiedToNode.
  TiedToNode: 'The volume is on node %{node}: instances that mount the disk run there.',
  TiedToNodes: 'Only some nodes can reach the volume: %{terms}.',
  NotTied: 'Every node can mount the disk.',
  NoVolume: 'There is no volume yet.',
  // Reasons of the condition FilesAvailable.
  FilesReady: 'The file server answers.',
  FilesStarting: 'The file server is starting.',
  FilesInUse: 'The disk allows only one writer, currently %{by}: use sftp there.',
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
  accessFixed: 'access cannot be changed: create another disk',
  classFixed: 'storageClassName cannot be changed: create another disk',
  name: 'metadata.name must be at most 50 lower-case letters, digits and -: names derived from it are longer',
};
