// Words of GpuHost.
import * as credit from './credit.ts';

export const name = 'Host';
export const many = 'Hosts';

export const phases = {
  releasing: 'Releasing',
  draining: 'Draining',
  expired: 'Expired',
  lost: 'Lost',
  pending: 'Pending',
  activeSync: 'Synchronising',
  notReady: 'Not ready',
  active: 'Active',
};

export const reasons = {
  Active: 'The host accepts instances.',
  ExpiresSoon: 'The host expires at %{at}, in %{hours} hour. |||| The host expires at %{at}, in %{hours} hours.',
  WaitingForNodes:
    'Needs %{nodes} node with %{count} × %{model}; %{free} of %{all} free; ahead of you: %{ahead}. |||| Needs %{nodes} nodes with %{count} × %{model}; %{free} of %{all} free; ahead of you: %{ahead}.',
  TooFewNodes:
    'Needs %{nodes} node with %{count} × %{model}; there are %{all}. |||| Needs %{nodes} nodes with %{count} × %{model}; there are %{all}.',
  UnknownNodes: 'No node has %{count} × %{model}. The cluster has: %{models}.',
  QuotaExceeded:
    "Needs %{count} GPU; the organisation's other hosts have %{held} of the %{quota} that it may rent. |||| Needs %{count} GPUs; the organisation's other hosts have %{held} of the %{quota} that it may rent.",
  Claiming: 'Nodes are being reserved: %{held} of %{nodes}.',
  Confirming: 'The label, taint and free capacity of node %{node} are being checked.',
  GpusMissing: 'Node %{node} offers %{seen} of its %{count} GPUs.',
  ...credit.reasons,
  NodesNotReady: 'These nodes do not answer: %{nodes}.',
  NodesLost: "The host's nodes are gone, and %{free} of %{all} others with %{count} × %{model} are free.",
  Expired:
    'The host expired at %{at} and accepts no new instances. Its instances will be hibernated at %{until} unless it is renewed.',
  Returned: 'The host expired at %{at}, and its nodes were returned.',
  InstancesLeft: "The organisation's containers are still on its nodes, or not saved yet: %{names}.",
  WaitsForDisks: 'Disks that only node %{node} can reach still exist: %{disks}.',
  Wiping: "The organisation's data is being wiped from node %{node}.",
  Releasing: 'The nodes are being returned.',
  Released: 'All nodes have been returned; the final usage is being billed.',
  Refused: 'The cluster refuses to reserve a node: %{detail}',
  // Reasons of conditions.
  NotYetActive: 'The host was not active yet.',
  NodesComplete: 'The host has all its nodes.',
  NotSoon: 'The host is rented until %{at}.',
  MonthsUnpaid:
    'Only %{counted} of %{months} month counts so far: no credit is reserved for the others. |||| Only %{counted} of %{months} months count so far: no credit is reserved for the others.',
  InGrace: 'Instances on the host may keep running until %{until}.',
  GraceOver: 'Instances on the host are hibernated, and its nodes are returned.',
  DisksKept: "The host's disks are reserved for its instances.",
  DiskNotFound: 'spec.disks: there is no disk %{disk}.',
  DiskInUse: 'spec.disks: disk %{disk} is in use by %{by}, and is not reserved for this host.',
  DiskNotReady: 'spec.disks: disk %{disk} is being created or assigned.',
  OthersLeft: 'Earlier containers are still on node %{node}; it accepts no new ones.',
  NoAgentOnNode: 'No agent runs on %{nodes}, so nothing there could be wiped or saved.',
};

export const actions = {
  renew: 'Renew',
  edit: 'Edit',
  release: 'Release',
};

export const rules = {
  letters: 'may contain only letters, digits and underscore',
  sourceFixed: 'source cannot be changed',
  gpuFixed: 'gpu cannot be changed: rent another host',
  nodesGrow: 'nodes can only grow',
  monthsGrow: 'months can only grow',
  name: 'metadata.name must be at most 50 lower-case letters, digits and -, starting with a letter',
};
