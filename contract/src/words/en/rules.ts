// Refusals of the API server: by rules that several kinds share, and by policies that a tenant can meet.
import { REGISTRY } from '../../names.ts';

export const rules = {
  creatorFixed: 'creator cannot be changed',
  creatorKept: 'spec.creator cannot be removed',
  lettersAndChinese: 'may contain only Chinese characters, letters, digits and underscore',
  modelVersion: 'may contain only letters, digits, ., _ and -, and must start with a letter or digit',
  gpuModel:
    'model must be letters, digits, -, _ and ., with a letter or digit first and last, as in the label nvidia.com/gpu.product of nodes',
  objectName: 'must be the name of an object: lower-case letters, digits and -',
  portName:
    'must be at most 15 lower-case letters, digits and single -, with a letter; notebook is taken by notebookPort',
  noNul: 'may not contain NUL (U+0000)',
  dateTime: 'must be a date and time such as 2027-01-31T12:00:00Z or 2027-01-31T20:00:00+08:00',
  atLeast: 'must be at least %{bound}',
  mountPath: 'mountPath must be an absolute path without .., and neither /root nor in /gantry, /dev, /proc or /sys',
  mountPathTwice: 'disks: two disks cannot have the same mountPath',
  imageSource: 'Malformed: an image is written repo/name:tag or repo/name@sha256:…, such as pytorch/pytorch:2.4.0',
  plainText: 'may not contain control, formatting or private-use characters',
  imagePort: 'the port of the registry must be from 1 to 65535',
  portNameTwice: 'ports: two ports cannot have the same name',
  variableName: 'name must be a variable name: letters, digits and _, not starting with a digit',
  variablesSize: 'env may contain at most 32 KiB in total',
  commandSize: 'command may contain at most 32 KiB in total',
  secretKey: 'key must be letters, digits, -, _ and .',
  cron: 'cron must have five fields, such as 30 2 * * 1-5 (minute, hour, day of month, month, day of week)',
  timeZone: 'timeZone must be a name such as Europe/Berlin or UTC',
};

export const policies = {
  startedByOther: 'spec.startedBy: must be the account that starts it, %{account}',
  scalesItself: 'spec.replicas: %{name} scales itself. Change its spec.autoscaling, or remove that first',
  scaledByOther:
    'spec.replicas: %{starter} pays for these replicas. Set spec.replicas and spec.startedBy, %{account}, in one change of the object',
  foreignSecret:
    'spec.secretEnv: the values of %{secret} are not for variables. Enter the value again, or use an Opaque Secret of your own',
  deviceVariable:
    'spec.env: %{name} chooses devices of the node, which only the platform does. Request GPUs with spec.gpu',
  deviceMount: 'mountPath: %{path} is where the node names GPUs. Choose another path',
  likeGroup: 'metadata.name may not end in -group, or in -group- and a number: Pods of models have such names',
  instanceOnHost:
    'Instance %{instance} is on this host: shut it down, or change its spec.host, before you release the host',
  hostReturned: 'spec.months: the host expired and its nodes were returned; rent another',
  diskMounted:
    'The disk is mounted by or reserved for %{holders}. Unmount it first, or shut down the instance that uses it.',
  nothingCostly: 'You cannot start anything that costs money, but you can still stop and delete. %{why}',
  registrySpelling: `spec.%{field}: write the registry as ${REGISTRY}`,
  ownImages: `spec.%{field}: from ${REGISTRY} you can use only %{namespace}/… and official/…`,
  innerRegistry:
    'spec.%{field}: %{host} is not on the public internet. Use a public registry, or one that the platform allows',
  exportedTo: `spec.source: an instance is exported to ${REGISTRY}/%{namespace}/<name>:<tag>, and .root, .home and .log are reserved for saves`,
};
