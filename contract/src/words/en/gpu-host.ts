// Words of GpuHost.
import * as credit from './credit.ts';

export const name = 'Host';

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
  Active: 'The host takes instances.',
  ExpiresSoon: 'The host expires at %{at}, in %{hours} hour. |||| The host expires at %{at}, in %{hours} hours.',
  WaitingForNodes:
    'Needs %{nodes} node with %{count} × %{model}; %{free} of %{all} free; waiting before you: %{ahead}. |||| Needs %{nodes} nodes with %{count} × %{model}; %{free} of %{all} free; waiting before you: %{ahead}.',
  TooFewNodes:
    'Needs %{nodes} node with %{count} × %{model}; there are %{all}. |||| Needs %{nodes} nodes with %{count} × %{model}; there are %{all}.',
  UnknownNodes: 'No node has %{count} × %{model}. There are: %{models}.',
  QuotaExceeded:
    "Needs %{count} card; the organisation's other hosts have %{held} of the %{quota} that it may rent. |||| Needs %{count} cards; the organisation's other hosts have %{held} of the %{quota} that it may rent.",
  Claiming: 'Nodes are being taken: %{held} of %{nodes}.',
  Confirming: 'Label, taint and free room of node %{node} are being confirmed.',
  GpusMissing: 'Node %{node} offers %{seen} of its %{count} cards.',
  ...credit.reasons,
  NodesNotReady: 'These nodes do not answer: %{nodes}.',
  NodesLost: 'The nodes of the host are gone, and %{free} of %{all} others with %{count} × %{model} are free.',
  Expired:
    'The host expired at %{at} and takes no new instances. Those on it hibernate at %{until} unless it is renewed.',
  Returned: 'The host expired at %{at}, and its nodes were given back.',
  InstancesLeft: 'Containers of the organisation are still on its nodes, or not saved yet: %{names}.',
  WaitsForDisks: 'Disks that only node %{node} can reach are still there: %{disks}.',
  Wiping: 'What the organisation left on node %{node} is being wiped.',
  Releasing: 'The nodes are being given back.',
  Released: 'All nodes are given back; the last use is being billed.',
  Refused: 'The cluster refuses to set a node aside: %{detail}',
  // Reasons of conditions.
  NotYetActive: 'The host was not active yet.',
  NodesComplete: 'The host has all its nodes.',
  NotSoon: 'The host is rented until %{at}.',
  MonthsUnpaid: 'Of %{months} months %{counted} count so far: no credit is reserved for the others.',
  InGrace: 'Instances on the host may go on until %{until}.',
  GraceOver: 'Instances on the host hibernate; its nodes are given back.',
  DisksKept: 'The disks of the host are kept for instances on it.',
  DiskNotFound: 'spec.disks: there is no disk %{disk}.',
  DiskInUse: 'spec.disks: disk %{disk} is in use by %{by}, and is not kept for this host.',
  DiskNotReady: 'spec.disks: disk %{disk} is being made or assigned.',
  OthersLeft: 'Containers that were there before are still on node %{node}; it takes no new ones.',
  NoAgentOnNode: 'No agent runs on %{nodes}, so nothing there could be wiped; nothing could be saved there either.',
};

export const actions = {
  renew: 'Renew',
  edit: 'Edit',
  release: 'Release',
};

export const rules = {
  letters: 'may hold only letters, digits and underscore',
  sourceFixed: 'source cannot be changed',
  gpuFixed: 'gpu cannot be changed: rent another host',
  nodesGrow: 'nodes can only grow',
  monthsGrow: 'months can only grow',
  name: 'metadata.name must be at most 50 lower-case letters, digits and -, starting with a letter',
};
