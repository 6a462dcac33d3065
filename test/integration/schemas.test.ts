// Whatever admission can know is refused at `kubectl apply`, in one sentence that names the field and the rule.
import { readdirSync } from 'node:fs';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { organizationNamespace, weightsLabel } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';
import { sound as soundPolicy } from '../support/sound/alert-policy.ts';
import { sound as soundService } from '../support/sound/container-service.ts';
import { sound as soundProcess } from '../support/sound/data-process.ts';
import { sound as soundEvaluation } from '../support/sound/evaluation.ts';
import { sound as soundTune } from '../support/sound/fine-tune.ts';
import { sound as soundJob } from '../support/sound/job.ts';
import { sound as soundDeployment } from '../support/sound/model-deployment.ts';

const EXAMPLES = new URL('../../crds/examples/', import.meta.url);
const NAMESPACE = organizationNamespace('acme');
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer();
  const { kubectl } = server;
  await kubectl.must(['create', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE, labels: { 'gantry.dev/organization': 'acme' } },
  });
  await kubectl.must(['create', '-f', '-'], instance({ creator: 'ann', homeDisk: { sizeGi: 20 } }, 'kept'));
  await kubectl.must(['create', '-f', '-'], image({ source: 'a/b:1', creator: 'ann' }, 'kept'));
  await kubectl.must(['create', '-f', '-'], disk({ creator: 'ann' }, 'kept'));
  await kubectl.must(['create', '-f', '-'], job({ creator: 'ann', runCount: 3 }, 'kept'));
  await kubectl.must(['create', '-f', '-'], job({ schedule: { cron: '0 2 * * *' } }, 'scheduled'));
  await kubectl.must(['create', '-f', '-'], service({ creator: 'ann', restartCount: 3 }, 'kept'));
  await kubectl.must(['create', '-f', '-'], host({ nodes: 2, months: 2, creator: 'ann' }, 'kept'));
});
afterAll(() => server?.stop());

const instance = (spec: object, name = 'dev'): KubeObject => {
  const made = gpuInstance({ name, namespace: NAMESPACE });
  return { ...made, spec: { ...made.spec, ...spec } } as KubeObject;
};
const image = (spec: object, name = 'torch') =>
  ({ apiVersion: API_VERSION, kind: 'Image', metadata: { name, namespace: NAMESPACE }, spec }) as KubeObject;
const host = (spec: object, name = 'big') =>
  ({
    apiVersion: API_VERSION,
    kind: 'GpuHost',
    metadata: { name, namespace: NAMESPACE },
    spec: { gpu: { model: 'H100', count: 8 }, ...spec },
  }) as KubeObject;
const disk = (spec: object, name = 'data') =>
  ({
    apiVersion: API_VERSION,
    kind: 'DataDisk',
    metadata: { name, namespace: NAMESPACE },
    spec: { sizeGi: 10, ...spec },
  }) as KubeObject;
const job = (spec: object, name = 'train') =>
  ({
    apiVersion: API_VERSION,
    kind: 'Job',
    metadata: { name, namespace: NAMESPACE },
    spec: { image: 'a/b:1', ...spec },
  }) as KubeObject;
const dataProcess = (spec: object, name = 'pairs') =>
  ({
    apiVersion: API_VERSION,
    kind: 'DataProcess',
    metadata: { name, namespace: NAMESPACE },
    spec: { type: 'Clean', input: { dataset: 'dst-in' }, output: { name: 'out' }, ...spec },
  }) as KubeObject;
const fineTune = (spec: object, name = 'tuned') =>
  ({
    apiVersion: API_VERSION,
    kind: 'FineTune',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      base: { model: 'mdl-base', version: 'v1' },
      datasets: [{ dataset: 'dst-in' }],
      output: { name: 'out' },
      ...spec,
    },
  }) as KubeObject;
const evaluation = (spec: object, name = 'asked') =>
  ({
    apiVersion: API_VERSION,
    kind: 'Evaluation',
    metadata: { name, namespace: NAMESPACE },
    spec: { subjects: [{ deployment: 'chat' }], tasks: [{ dataset: 'dst-in', metric: 'F1' }], ...spec },
  }) as KubeObject;
const asks = (...tasks: readonly object[]) =>
  evaluation({ tasks: tasks.map((one) => ({ dataset: 'dst-in', metric: 'F1', ...one })) });
const columns = (named: object, objective = 'SFT') => fineTune({ objective, columns: named });
const parameters = (some: object) => fineTune({ parameters: some });
const splits = (...parts: [name: string, percent: number][]) =>
  dataProcess({ type: 'Split', split: { parts: parts.map(([name, percent]) => ({ name, percent })) } });
const service = (spec: object, name = 'web') =>
  ({
    apiVersion: API_VERSION,
    kind: 'ContainerService',
    metadata: { name, namespace: NAMESPACE },
    spec: { image: 'a/b:1', ports: [{ name: 'web', port: 80 }], ...spec },
  }) as KubeObject;
const policy = (spec: object, name = 'hot') =>
  ({
    apiVersion: API_VERSION,
    kind: 'AlertPolicy',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      objects: { kind: 'GpuInstance' },
      metric: 'GpuTemperature',
      rules: [{ compare: 'Above', value: 85 }],
      ...spec,
    },
  }) as KubeObject;
const scaled = (autoscaling: object) => service({ autoscaling });
const followed = (metric: object) => scaled({ metrics: [metric] });
const REPOSITORY = `registry.gantry.internal/${NAMESPACE}`;
const log = (spec: object) =>
  ({
    apiVersion: API_VERSION,
    kind: 'Snapshot',
    metadata: { name: 'train-1-0-abcde', namespace: NAMESPACE },
    spec: {
      ...{ instance: 'train', of: 'Log', node: 'node-a', podName: 'train-1-0-abcde', podUID: 'uid' },
      target: `${REPOSITORY}/train.job.log:1-0`,
      ...spec,
    },
  }) as KubeObject;
const organization = (spec: object, name = 'acme') =>
  ({ apiVersion: API_VERSION, kind: 'Organization', metadata: { name }, spec }) as KubeObject;

const LONG = 'a'.repeat(51);
const variables = (count: number) => ({
  env: Array.from({ length: count }, (_, i) => ({ name: `A${i}`, value: 'x'.repeat(8192) })),
});
const words = (count: number) => ({ command: Array.from({ length: count }, () => 'x'.repeat(4096)) });
const deployment = (spec: object) => ({ ...soundDeployment, spec: { ...soundDeployment.spec, ...spec } }) as KubeObject;
const REFUSED: Record<string, [wanted: KubeObject | string, sentence: string]> = {
  ...Object.fromEntries(
    ['--port=1', '--served-model-name', '-tp', '--ssl-keyfile'].map((argument) => [
      `the engine’s argument ${argument}`,
      [deployment({ extraArgs: ['--enable-prefix-caching', argument] }), 'the platform sets this argument itself'],
    ]),
  ),
  'an engine’s argument with a NUL': [deployment({ extraArgs: ['--seed=\u0000'] }), 'may not contain NUL'],
  'nodes by what they hold of models': [
    deployment({ nodeLabels: { [weightsLabel('org', 'a'.repeat(64))]: 'true' } }),
    'nodeLabels: labels of the model cache belong to the platform',
  ],
  'a display name with a space': [
    instance({ displayName: 'my box' }),
    'spec.displayName: Invalid value: "string": may contain only Chinese characters, letters, digits and underscore',
  ],
  'an empty display name': [instance({ displayName: '' }), 'spec.displayName in body should be at least 1 chars long'],
  'a display name of 64 letters': [
    instance({ displayName: 'a'.repeat(64) }),
    'spec.displayName: Too long: may not be more than 63',
  ],
  'variables of more than 32 KiB': [
    instance(variables(5)),
    'spec.env: Invalid value: "array": env may contain at most 32 KiB in total',
  ],
  'a command of more than 32 KiB': [
    instance(words(9)),
    'spec.command: Invalid value: "array": command may contain at most 32 KiB in total',
  ],
  'no GPUs': [
    instance({ gpu: { model: 'H100', count: 0 } }),
    'spec.gpu.count in body should be greater than or equal to 1',
  ],
  'a million GPUs': [
    instance({ gpu: { model: 'H100', count: 1_000_000 } }),
    'spec.gpu.count in body should be less than or equal to 16',
  ],
  'GPUs of no model': [instance({ gpu: { count: 1 } }), 'spec.gpu.model: Required value'],
  ...Object.fromEntries(
    ['a b', '-H100', 'H100.', 'H/100', '型号'].map((model) => [
      `GPUs of the model "${model}", which no label can have`,
      [
        instance({ gpu: { model, count: 1 } }),
        'spec.gpu.model: Invalid value: "string": model must be letters, digits, -, _ and .',
      ],
    ]),
  ),
  'a host of a model that no label can have': [
    host({ gpu: { model: 'a b', count: 8 } }),
    'spec.gpu.model: Invalid value: "string": model must be letters, digits, -, _ and .',
  ],
  'a field of the Pod underneath': [instance({ hostPath: '/' }), 'unknown field "spec.hostPath"'],
  'a security context': [instance({ securityContext: { privileged: true } }), 'unknown field "spec.securityContext"'],
  'an image without a tag': [
    instance({ image: 'pytorch/pytorch' }),
    'spec.image: Invalid value: "string": Malformed: an image is written repo/name:tag',
  ],
  'an image without a repository': [
    instance({ image: 'busybox:1.36' }),
    'Malformed: an image is written repo/name:tag or repo/name@sha256:…, such as pytorch/pytorch:2.4.0',
  ],
  'no image': [instance({ image: undefined }), 'spec.image: Required value'],
  'the same port twice': [
    instance({ ports: [{ port: 80 }, { port: 80 }] }),
    'spec.ports[1]: Duplicate value: {"port":80}',
  ],
  'two ports of one name': [
    instance({
      ports: [
        { name: 'web', port: 80 },
        { name: 'web', port: 81 },
      ],
    }),
    'spec.ports: Invalid value: "array": ports: two ports cannot have the same name',
  ],
  ...Object.fromEntries(
    ['123', 'a--b', 'notebook'].map((name) => [
      `a port named ${name}`,
      [
        instance({ ports: [{ name, port: 80 }] }),
        'spec.ports[0].name: Invalid value: "string": must be at most 15 lower-case letters, digits and single -, with a letter; notebook is taken by notebookPort',
      ],
    ]),
  ),
  'a port of the notebook twice': [
    instance({ ports: [{ port: 80 }], notebookPort: 80 }),
    'spec.notebookPort: Invalid value: "object": spec.notebookPort is also in spec.ports: list each port only once',
  ],
  'two disks in one place': [
    instance({
      disks: [
        { name: 'a', mountPath: '/x' },
        { name: 'b', mountPath: '/x' },
      ],
    }),
    'spec.disks: Invalid value: "array": disks: two disks cannot have the same mountPath',
  ],
  'the same disk twice': [
    instance({
      disks: [
        { name: 'a', mountPath: '/x' },
        { name: 'a', mountPath: '/y' },
      ],
    }),
    'spec.disks[1]: Duplicate value: {"name":"a"}',
  ],
  'a disk over the home': [
    instance({ disks: [{ name: 'a', mountPath: '/root' }] }),
    'spec.disks[0].mountPath: Invalid value: "string": mountPath must be an absolute path without ..',
  ],
  "a disk over the agent's folder": [
    instance({ disks: [{ name: 'a', mountPath: '/gantry/x' }] }),
    'neither /root nor in /gantry',
  ],
  'a path that climbs': [
    instance({ disks: [{ name: 'a', mountPath: '/x/../etc' }] }),
    'mountPath must be an absolute path without ..',
  ],
  'a variable that starts with a digit': [
    instance({ env: [{ name: '1A', value: '' }] }),
    'name must be a variable name: letters, digits and _, not starting with a digit',
  ],
  'a word of a command with NUL in it': [
    instance({ command: ['sh', '-c', 'echo a\u0000b'] }),
    'spec.command[2]: Invalid value: "string": may not contain NUL (U+0000)',
  ],
  'a remark of a key with NUL in it': [
    instance({ sshKeys: [{ remark: 'a\u0000b', publicKey: 'ssh-ed25519 AAAA' }] }),
    'spec.sshKeys[0].remark: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'a remark of a key that turns the direction of writing': [
    instance({ sshKeys: [{ remark: 'a\u202eb', publicKey: 'ssh-ed25519 AAAA' }] }),
    'spec.sshKeys[0].remark: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'a tag of a host with NUL in it': [
    host({ tags: ['a\u0000b'] }),
    'spec.tags[0]: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'a name of an organisation with NUL in it': [
    organization({ displayName: 'a\u0000b' }),
    'spec.displayName: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'a description of an organisation with NUL in it': [
    organization({ description: 'a\nb\u0000' }),
    'spec.description: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'a variable with NUL in it': [
    instance({ env: [{ name: 'A', value: '\u0000' }] }),
    'spec.env[0].value: Invalid value: "string": may not contain NUL (U+0000)',
  ],
  'an image of a registry at a port that there is not': [
    instance({ image: 'registry.example:65536/a/b:1' }),
    'spec.image: Invalid value: "string": the port of the registry must be from 1 to 65535',
  ],
  'an image of a registry at port 0': [
    instance({ image: 'registry.example:0/a/b:1' }),
    'the port of the registry must be from 1 to 65535',
  ],
  'an Image of a registry at a port that there is not': [
    image({ source: 'registry.example:123456/a/b:1' }),
    'spec.source: Invalid value: "string": the port of the registry must be from 1 to 65535',
  ],
  'a port that there is not': [
    instance({ ports: [{ port: 65536 }] }),
    'spec.ports[0].port in body should be less than or equal to 65535',
  ],
  'a key that is none': [
    instance({ sshKeys: [{ remark: 'a', publicKey: 'hello' }] }),
    'publicKey must be an OpenSSH public key',
  ],
  'an expiry that is no time': [
    instance({ sshKeys: [{ remark: 'a', publicKey: 'ssh-ed25519 AAAA', expiresAt: 'soon' }] }),
    'spec.sshKeys[0].expiresAt: Invalid value: "string": must be a date and time such as 2027-01-31T12:00:00Z',
  ],
  'a power that YAML makes a boolean': [
    `{apiVersion: ${API_VERSION}, kind: GpuInstance, metadata: {name: dev, namespace: ${NAMESPACE}}, spec: {image: a/b:1, power: Off}}`,
    'supported values: "Running", "Stopped", "ShutDown", "Hibernated"',
  ],
  'no processor': [instance({ cores: 0 }), 'spec.cores: Invalid value: "number": must be at least 0.1'],
  'no memory': [instance({ memoryGi: 0 }), 'spec.memoryGi: Invalid value: "number": must be at least 0.0625'],
  'a disk of nothing': [
    instance({ homeDisk: { sizeGi: 0 } }),
    'spec.homeDisk.sizeGi in body should be greater than or equal to 1',
  ],
  'a disk of 6 TiB': [
    instance({ homeDisk: { sizeGi: 6144 } }),
    'spec.homeDisk.sizeGi in body should be less than or equal to 5120',
  ],
  'a name of 51 letters': [
    instance({}, LONG),
    'metadata.name may have at most 50 characters: the names of its Pods are longer',
  ],
  'a name that starts with a digit': [
    instance({}, '1a'),
    'metadata.name must be lower-case letters, digits and -, starting with a letter',
  ],
  'an Image without a tag': [
    image({ source: 'a/b' }),
    'spec.source: Invalid value: "string": Malformed: an image is written repo/name:tag',
  ],
  'an Image of 51 letters': [
    image({ source: 'a/b:1' }, LONG),
    'metadata.name may have at most 50 characters: names derived from it are longer',
  ],
  'a host with a Chinese name': [
    host({ displayName: '主机' }),
    'spec.displayName: Invalid value: "string": may contain only letters, digits and underscore',
  ],
  'a host of no model': [host({ gpu: { count: 8 } }), 'spec.gpu.model: Required value'],
  'a host without cards': [
    host({ gpu: { model: 'H100', count: 0 } }),
    'spec.gpu.count in body should be greater than or equal to 1',
  ],
  'a host with a disk over the home': [
    host({ disks: [{ name: 'a', mountPath: '/root' }] }),
    'spec.disks[0].mountPath: Invalid value: "string": mountPath must be an absolute path without ..',
  ],
  'a host with two disks in one place': [
    host({
      disks: [
        { name: 'a', mountPath: '/x' },
        { name: 'b', mountPath: '/x' },
      ],
    }),
    'spec.disks: Invalid value: "array": disks: two disks cannot have the same mountPath',
  ],
  'a host from nowhere': [host({ source: 'found' }), 'spec.source: Unsupported value: "found"'],
  'a host of 65 nodes': [host({ nodes: 65 }), 'spec.nodes in body should be less than or equal to 64'],
  'a host for no month': [host({ months: 0 }), 'spec.months in body should be greater than or equal to 1'],
  'eleven tags': [
    host({ tags: Array.from({ length: 11 }, (_, index) => `t${index}`) }),
    'spec.tags: Too many: 11: must have at most 10 items',
  ],
  'a tag twice': [host({ tags: ['a', 'a'] }), 'spec.tags[1]: Duplicate value: "a"'],
  'a host whose name starts with a digit': [
    host({}, '1a'),
    'metadata.name must be at most 50 lower-case letters, digits and -, starting with a letter',
  ],
  'an organisation with a dot': [
    organization({}, 'a.b'),
    'metadata.name must be at most 50 lower-case letters, digits and -',
  ],
  'a role that does not exist': [
    organization({ members: [{ account: 'ann', role: 'boss' }] }),
    'spec.members[0].role: Unsupported value: "boss": supported values: "owner"',
  ],
  'a member twice': [
    organization({
      members: [
        { account: 'ann', role: 'owner' },
        { account: 'ann', role: 'admin' },
      ],
    }),
    'spec.members[1]: Duplicate value: {"account":"ann"}',
  ],
  'the account that Kubernetes makes itself': [
    organization({ members: [{ account: 'default', role: 'owner' }] }),
    'account default is taken',
  ],
  'a disk name with a line break': [
    disk({ displayName: 'a\nb' }),
    'spec.displayName: Invalid value: "string": may not contain control, formatting or private-use characters',
  ],
  'an image name of 64 letters': [
    image({ source: 'a/b:1', displayName: 'a'.repeat(64) }),
    'spec.displayName: Too long: may not be more than 63',
  ],
  'a disk without a size': [disk({ sizeGi: undefined }), 'spec.sizeGi: Required value'],
  'a data disk of nothing': [disk({ sizeGi: 0 }), 'spec.sizeGi in body should be greater than or equal to 1'],
  'a data disk of 5121 GiB': [disk({ sizeGi: 5121 }), 'spec.sizeGi in body should be less than or equal to 5120'],
  'half a GiB': [disk({ sizeGi: 1.5 }), 'spec.sizeGi in body must be of type integer'],
  'an access that there is not': [disk({ access: 'All' }), 'spec.access: Unsupported value: "All"'],
  'files until some day': [
    disk({ files: { until: 'tomorrow' } }),
    'spec.files.until: Invalid value: "string": must be a date and time such as 2027-01-31T12:00:00Z',
  ],
  'a disk of 51 letters': [
    disk({}, LONG),
    'metadata.name must be at most 50 lower-case letters, digits and -: names derived from it are longer',
  ],
  'a disk with a dot': [disk({}, 'a.b'), 'metadata.name must be at most 50 lower-case letters, digits and -'],
  'a disk of another namespace: it cannot even be named': [
    instance({ disks: [{ name: 'org-other/data', mountPath: '/x' }] }),
    'spec.disks[0].name: Invalid value: "string": must be the name of an object',
  ],
  'a log under the name of an image': [
    log({ target: `${REPOSITORY}/train:1` }),
    'a Log goes to spec.target, whose name ends in .log; spec.log belongs to a Root',
  ],
  'a log that carries another one': [
    log({ log: `${REPOSITORY}/other.log:1` }),
    'a Log goes to spec.target, whose name ends in .log; spec.log belongs to a Root',
  ],
  'a log of no Pod': [log({ podUID: undefined }), 'spec.node, spec.podName and spec.podUID are for all others'],
  'a quota below nothing': [
    organization({ quota: { gpus: -1 } }),
    'spec.quota.gpus in body should be greater than or equal to 0',
  ],
  ...Object.fromEntries(
    (
      [
        ['a job', job],
        ['a service', service],
      ] as const
    ).flatMap(([what, of]): [string, [KubeObject | string, string]][] => [
      [`${what} on no GPUs`, [of({ gpu: { model: 'H100', count: 0 } }), 'spec.gpu.count in body should be greater']],
      [`${what} on 17 GPUs`, [of({ gpu: { model: 'H100', count: 17 } }), 'spec.gpu.count in body should be less']],
      [`${what} on GPUs of no model`, [of({ gpu: { count: 1 } }), 'spec.gpu.model: Required value']],
      [`${what} on a model that no label can have`, [of({ gpu: { model: 'a b' } }), 'model must be letters, digits']],
      [`${what} without a processor`, [of({ cores: 0 }), 'spec.cores: Invalid value: "number": must be at least 0.1']],
      [`${what} on 513 cores`, [of({ cores: 513 }), 'spec.cores in body should be less than or equal to 512']],
      [`${what} without memory`, [of({ memoryGi: 0 }), 'spec.memoryGi: Invalid value: "number": must be at least']],
      [`${what} on 8193 GiB`, [of({ memoryGi: 8193 }), 'spec.memoryGi in body should be less than or equal to 8192']],
      [`${what} on half a GPU`, [of({ gpu: { model: 'H100', count: 0.5 } }), 'spec.gpu.count in body must be of type']],
      [`${what} without an image`, [of({ image: undefined }), 'spec.image: Required value']],
      [`${what} of an image without a tag`, [of({ image: 'a/b' }), 'Malformed: an image is written repo/name:tag']],
      [`${what} with an empty command`, [of({ command: [] }), 'spec.command in body should have at least 1 items']],
      [`${what} with a command of 65 words`, [of({ command: Array(65).fill('a') }), 'spec.command: Too many: 65']],
      [`${what} with a command of more than 32 KiB`, [of(words(9)), 'command may contain at most 32 KiB in total']],
      [
        `${what} with NUL in its command`,
        [of({ command: ['a\u0000b'] }), 'spec.command[0]: Invalid value: "string": may not contain NUL'],
      ],
      [`${what} with variables of more than 32 KiB`, [of(variables(5)), 'env may contain at most 32 KiB in total']],
      [
        `${what} with NUL in a variable`,
        [
          of({ env: [{ name: 'A', value: '\u0000' }] }),
          'spec.env[0].value: Invalid value: "string": may not contain NUL',
        ],
      ],
      [`${what} with a variable that is no name`, [of({ env: [{ name: 'A-B' }] }), 'name must be a variable name']],
      [
        `${what} with a variable twice`,
        [of({ env: [{ name: 'A' }, { name: 'A' }] }), 'spec.env[1]: Duplicate value: {"name":"A"}'],
      ],
      [
        `${what} with a variable that is plain and secret`,
        [
          of({ env: [{ name: 'A' }], secretEnv: [{ name: 'A', secret: 's', key: 'k' }] }),
          'spec.secretEnv: Invalid value: "object": spec.secretEnv: a variable is in spec.env or in spec.secretEnv',
        ],
      ],
      [
        `${what} with a Secret of another namespace`,
        [
          of({ secretEnv: [{ name: 'A', secret: 'org-b/s', key: 'k' }] }),
          'spec.secretEnv[0].secret: Invalid value: "string": must be the name of an object',
        ],
      ],
      [
        `${what} with a key that climbs out of its Secret`,
        [of({ secretEnv: [{ name: 'A', secret: 's', key: '../k' }] }), 'key must be letters, digits, -, _ and .'],
      ],
      [
        `${what} with a port twice`,
        [of({ ports: [{ port: 80 }, { port: 80 }] }), 'spec.ports[1]: Duplicate value: {"port":80}'],
      ],
      [
        `${what} with a port that there is not`,
        [of({ ports: [{ port: 0 }] }), 'spec.ports[0].port in body should be greater'],
      ],
      [
        `${what} with two ports of one name`,
        [
          of({ ports: ['web', 'web'].map((name, at) => ({ name, port: 80 + at })) }),
          'two ports cannot have the same name',
        ],
      ],
      [
        `${what} on a host of another namespace`,
        [of({ host: 'org-b/big' }), 'spec.host: Invalid value: "string": must be the name of an object'],
      ],
      [`${what} with a field of the Pod underneath`, [of({ hostNetwork: true }), 'unknown field "spec.hostNetwork"']],
      [
        `${what} with a line break in its name`,
        [of({ displayName: 'a\nb' }), 'may not contain control, formatting or private-use'],
      ],
      [
        `${what} whose name starts with a digit`,
        [of({}, '1a'), 'metadata.name must be lower-case letters, digits and -'],
      ],
      [`${what} with a dot in its name`, [of({}, 'a.b'), 'metadata.name must be lower-case letters, digits and -']],
      [
        `${what} with a power that it has not`,
        [of({ power: 'Hibernated' }), 'spec.power: Unsupported value: "Hibernated"'],
      ],
      [
        `${what} whose power YAML makes a boolean`,
        [JSON.stringify(of({ power: 'OFF' })).replace('"OFF"', 'Off'), 'spec.power'],
      ],
    ]),
  ),
  'a job of 51 letters': [job({}, LONG), 'metadata.name may have at most 50 characters'],
  'a schedule of 39 letters': [
    job({ schedule: { cron: '0 2 * * *' } }, 'a'.repeat(39)),
    'metadata.name of a schedule may have at most 38 characters',
  ],
  'a service of 41 letters': [service({}, 'a'.repeat(41)), 'metadata.name may have at most 40 characters'],
  'a data processing task of 51 letters': [
    dataProcess({ clean: {} }, LONG),
    'metadata.name may have at most 50 characters',
  ],
  'a type that there is not': [dataProcess({ type: 'Summarize', clean: {} }), 'spec.type: Unsupported value'],
  'a type without its block': [dataProcess({}), 'exactly the block of spec.type is needed'],
  'a type with the block of another one': [
    dataProcess({ type: 'Convert', clean: {} }),
    'exactly the block of spec.type is needed',
  ],
  'a type with two blocks': [
    dataProcess({ clean: {}, convert: { format: 'Csv' } }),
    'exactly the block of spec.type is needed',
  ],
  'an input that is no dataset': [
    dataProcess({ clean: {}, input: { dataset: 'mdl-in' } }),
    'must be the id of a dataset',
  ],
  'an input above its dataset': [
    dataProcess({ clean: {}, input: { dataset: 'dst-../x' } }),
    'must be the id of a dataset',
  ],
  'version zero of a dataset': [
    dataProcess({ clean: {}, input: { dataset: 'dst-in', version: 0 } }),
    'spec.input.version in body should be greater than or equal to 1',
  ],
  'no output': [dataProcess({ clean: {}, output: {} }), 'either dataset or name is needed, not both'],
  'two outputs': [
    dataProcess({ clean: {}, output: { name: 'out', dataset: 'dst-out' } }),
    'either dataset or name is needed, not both',
  ],
  'a dataset whose name hides something': [
    dataProcess({ clean: {}, output: { name: 'out\u202e' } }),
    'may not contain control, formatting or private-use characters',
  ],
  'a knowledge base without a model': [dataProcess({ type: 'KnowledgeBase', chunks: {} }), 'this type needs a model'],
  'a graph without a model': [dataProcess({ type: 'KnowledgeGraph', graph: {} }), 'this type needs a model'],
  'pairs by a model without one': [dataProcess({ type: 'QaPairs', qa: {} }), 'this type needs a model'],
  'a model that is an address': [
    dataProcess({ type: 'KnowledgeBase', chunks: {}, model: 'http://x/?a' }),
    'model must be a deployment or an alias',
  ],
  'chunks that mostly repeat': [
    dataProcess({ type: 'KnowledgeBase', chunks: { maxTokens: 16, overlap: 9 }, model: 'embed' }),
    'chunks.overlap may be at most half of maxTokens',
  ],
  'a type of entities twice': [
    dataProcess({ type: 'KnowledgeGraph', graph: { entityTypes: ['Person', 'Person'] }, model: 'chat' }),
    'each type may be named once',
  ],
  'twenty-one types of entities': [
    dataProcess({
      type: 'KnowledgeGraph',
      graph: { entityTypes: Array.from({ length: 21 }, (_, at) => `Type${at}`) },
      model: 'chat',
    }),
    'spec.graph.entityTypes: Too many',
  ],
  'rows that are longer than the longest': [
    dataProcess({ clean: { minChars: 10, maxChars: 9 } }),
    'clean.maxChars may not be less than minChars',
  ],
  'a language by its name': [dataProcess({ clean: { languages: ['ENG'] } }), 'languages must be codes of ISO 639'],
  'parts that are not all': [splits(['train', 80], ['test', 10]), 'the percentages must add up to 100'],
  'parts that are one file to some': [splits(['test', 80], ['Test', 20]), 'names must differ'],
  'a part above its folder': [splits(['../train', 80], ['test', 20]), 'parts.name must be letters'],
  'one part': [splits(['train', 100]), 'spec.split.parts in body should have at least 2 items'],
  'more rejected than there is': [
    dataProcess({ clean: {}, maxRejectedPercent: 101 }),
    'spec.maxRejectedPercent in body should be less than or equal to 100',
  ],
  'no budget at all': [dataProcess({ clean: {}, maxTokens: 0 }), 'spec.maxTokens in body should be greater'],
  'a gate of no evaluation': [deployment({ gate: { metric: 'F1' } }), 'spec.gate.evaluation: Required value'],
  'a gate that lets anything through': [
    deployment({ gate: { evaluation: 'evl-1', metric: 'F1', margin: 2 } }),
    'spec.gate.margin in body should be less',
  ],
  'an evaluation of 51 letters': [evaluation({}, LONG), 'metadata.name may have at most 50 characters'],
  'an evaluation of nobody': [evaluation({ subjects: [] }), 'spec.subjects in body should have at least 1 items'],
  'nine subjects': [
    evaluation({ subjects: Array.from({ length: 9 }, (_, at) => ({ deployment: `chat-${at}` })) }),
    'spec.subjects: Too many',
  ],
  'a subject twice': [
    evaluation({
      subjects: [{ deployment: 'a', adapter: 'b' }, { deployment: 'c' }, { deployment: 'a', adapter: 'b' }],
    }),
    'each deployment, adapter and version may be named once',
  ],
  'a deployment that is a path': [evaluation({ subjects: [{ deployment: '../a' }] }), 'must be the name of an object'],
  'seventeen tasks': [asks(...Array.from({ length: 17 }, () => ({}))), 'spec.tasks: Too many'],
  'a score that there is not': [asks({ metric: 'Bleu' }), 'spec.tasks[0].metric: Unsupported value'],
  'a score without expected answers': [
    asks({ columns: { prompt: 'a' } }),
    'this metric needs a column with the expected answers',
  ],
  'a judgement without a judge': [asks({}, { metric: 'Judge' }), 'the metrics Judge and Pairwise need a judge'],
  'a preference over nobody': [
    evaluation({ tasks: [{ dataset: 'dst-in', metric: 'Pairwise' }], judge: { deployment: 'a' } }),
    'the metric Pairwise needs one',
  ],
  'a baseline that is no subject': [evaluation({ baseline: 1 }), 'must be the number of one of spec.subjects'],
  'a rubric that hides something': [
    evaluation({ judge: { deployment: 'a', rubric: 'kind\u202e' } }),
    'may not contain control, formatting or private-use characters',
  ],
  'no row at all': [evaluation({ limit: 0 }), 'spec.limit in body should be greater'],
  'rows without end': [evaluation({ limit: 10_001 }), 'spec.limit in body should be less'],
  'a load tried twice': [evaluation({ performance: { concurrency: [4, 4] } }), 'each number may be named once'],
  'a fine-tuning task of 51 letters': [fineTune({}, LONG), 'metadata.name may have at most 50 characters'],
  'a base that is a path': [fineTune({ base: { model: '../etc', version: 'v1' } }), 'must be the name of an object'],
  'a version of a base that is a path': [
    fineTune({ base: { model: 'mdl-base', version: '../v1' } }),
    'spec.base.version: Invalid value: "string": may contain only letters',
  ],
  'no dataset': [fineTune({ datasets: [] }), 'spec.datasets in body should have at least 1 items'],
  'nine datasets': [
    fineTune({ datasets: Array.from({ length: 9 }, (_, at) => ({ dataset: `dst-${at}` })) }),
    'spec.datasets: Too many',
  ],
  'a dataset twice': [
    fineTune({ datasets: [{ dataset: 'dst-a' }, { dataset: 'dst-a', version: 2 }] }),
    'spec.datasets[1]: Duplicate value',
  ],
  'rows that count for nothing': [fineTune({ datasets: [{ dataset: 'dst-a', weight: 0 }] }), 'must be at least 0.01'],
  'an objective that there is not': [fineTune({ objective: 'PPO' }), 'spec.objective: Unsupported value'],
  'prompts without answers': [columns({ prompt: 'a' }), 'SFT needs either messages alone, or prompt and answer'],
  'conversations and answers': [
    columns({ messages: 'a', prompt: 'b', answer: 'c' }),
    'SFT needs either messages alone, or prompt and answer',
  ],
  'no column at all': [columns({}), 'SFT needs either messages alone, or prompt and answer'],
  'preferences of SFT': [
    columns({ prompt: 'a', chosen: 'b', rejected: 'c' }),
    'SFT needs either messages alone, or prompt and answer',
  ],
  'answers of DPO': [columns({ prompt: 'a', answer: 'b' }, 'DPO'), 'DPO needs prompt, chosen and rejected alone'],
  'a preference for nothing': [
    columns({ prompt: 'a', chosen: 'b' }, 'DPO'),
    'DPO needs prompt, chosen and rejected alone',
  ],
  'a column whose name hides something': [
    columns({ messages: 'a\u202e' }),
    'may not contain control, formatting or private-use characters',
  ],
  'epochs and steps': [parameters({ epochs: 1, maxSteps: 10 }), 'either epochs or maxSteps, not both'],
  'a learning rate of nothing': [parameters({ learningRate: 0 }), 'must be at least'],
  'a learning rate above one': [
    parameters({ learningRate: 1.5 }),
    'spec.parameters.learningRate in body should be less',
  ],
  'rows of no length': [parameters({ maxLength: 1 }), 'spec.parameters.maxLength in body should be greater'],
  'QLoRA without a GPU': [fineTune({ method: 'QLoRA' }), 'QLoRA needs a GPU'],
  'an adapter of all weights': [
    fineTune({ method: 'Full', output: { name: 'out', form: 'Adapter' } }),
    'a full fine-tuning makes no adapter',
  ],
  'an adapter as GGUF': [fineTune({ output: { name: 'out', gguf: true } }), 'only a whole model becomes GGUF'],
  'a result that goes nowhere': [fineTune({ output: {} }), 'either model or name is needed, not both'],
  'a result in two places': [
    fineTune({ output: { name: 'out', model: 'mdl-out' } }),
    'either model or name is needed, not both',
  ],
  'an end by a loss that is not measured': [fineTune({ earlyStop: { patience: 3 } }), 'needs spec.evalDataset'],
  'no checkpoint at all': [fineTune({ checkpoints: { keep: 0 } }), 'spec.checkpoints.keep in body should be greater'],
  'a training of 65 workers': [fineTune({ workers: 65 }), 'spec.workers in body should be less than or equal to 64'],
  'a tracked job with a port of its agent': [
    job({ tracking: true, ports: [{ port: 8089 }] }),
    'spec.ports: Invalid value: "object": spec.ports: with spec.tracking, ports 8089 and 8092 belong to the platform',
  ],
  'a job without workers': [job({ workers: 0 }), 'spec.workers in body should be greater than or equal to 1'],
  'a job of 65 workers': [job({ workers: 65 }), 'spec.workers in body should be less than or equal to 64'],
  'a job that may run for no time': [job({ maxRunMinutes: 0 }), 'spec.maxRunMinutes in body should be greater'],
  'a job that may run for a year': [job({ maxRunMinutes: 525_600 }), 'spec.maxRunMinutes in body should be less'],
  'eleven retries': [job({ retries: 11 }), 'spec.retries in body should be less than or equal to 10'],
  'a priority above all others': [job({ priority: 'Highest' }), 'spec.priority: Unsupported value: "Highest"'],
  'a disk mounted twice by a job': [
    job({ mounts: ['/x', '/y'].map((mountPath) => ({ from: 'a', mountPath })) }),
    'spec.mounts[1]: Duplicate value: {"from":"a"}',
  ],
  'two disks in one place of a job': [
    job({ mounts: ['a', 'b'].map((from) => ({ from, mountPath: '/x' })) }),
    'mounts: two disks cannot have the same mountPath',
  ],
  ...Object.fromEntries(
    ['/proc/self', '/gantry', '/x/../etc', 'x', '/', '/x/', '/x y'].map((mountPath) => [
      `a disk of a job at "${mountPath}"`,
      [job({ mounts: [{ from: 'a', mountPath }] }), 'mountPath must be an absolute path without ..'],
    ]),
  ),
  ...Object.fromEntries(
    ['', '@daily', '* * * *', '* * * * * *', '0 2 * * *\n', '0  2 * * *', '0 2 * * $(id)'].map((cron) => [
      `a schedule at ${JSON.stringify(cron)}`,
      [job({ schedule: { cron } }), 'cron must have five fields'],
    ]),
  ),
  ...Object.fromEntries(
    ['', '../etc/passwd', 'Europe/Berlin\n', '+02:00', 'a/b/c/d'].map((timeZone) => [
      `a schedule in the time zone ${JSON.stringify(timeZone)}`,
      [job({ schedule: { cron: '0 2 * * *', timeZone } }), 'timeZone must be a name such as Europe/Berlin'],
    ]),
  ),
  'a schedule of no cron': [job({ schedule: {} }), 'spec.schedule.cron: Required value'],
  'a schedule that goes on with all of its runs at once': [
    job({ schedule: { cron: '0 2 * * *', concurrency: 'Both' } }),
    'spec.schedule.concurrency: Unsupported value: "Both"',
  ],
  'a service without ports': [service({ ports: undefined }), 'spec.ports: name the port that the service listens on'],
  'a service with an empty list of ports': [
    service({ ports: [] }),
    'spec.ports: name the port that the service listens on',
  ],
  'a service published at a port that it has not': [
    service({ publish: { port: 81 } }),
    'spec.publish.port must be one of spec.ports',
  ],
  'a service published for nobody': [
    service({ publish: { port: 80, access: 'Nobody' } }),
    'spec.publish.access: Unsupported value: "Nobody"',
  ],
  'a replica fewer than none': [service({ replicas: -1 }), 'spec.replicas in body should be greater'],
  '65 replicas': [service({ replicas: 65 }), 'spec.replicas in body should be less than or equal to 64'],
  'more replicas at least than at most': [
    scaled({ min: 4, max: 3 }),
    'spec.autoscaling: Invalid value: "object": autoscaling.min cannot be greater than max',
  ],
  'a scale that ends at none': [scaled({ max: 0 }), 'spec.autoscaling.max in body should be greater'],
  'PromQL without a query': [
    followed({ type: 'PromQL', target: 1 }),
    'query is required for PromQL, and not allowed for anything else',
  ],
  'a query that is not used': [
    followed({ type: 'CPU', target: 1, query: 'up' }),
    'query is required for PromQL, and not allowed for anything else',
  ],
  'an empty query': [
    followed({ type: 'PromQL', target: 1, query: '' }),
    'query in body should be at least 1 chars long',
  ],
  'a query of 1025 letters': [followed({ type: 'PromQL', target: 1, query: 'a'.repeat(1025) }), 'query: Too long'],
  'a metric that there is not': [followed({ type: 'Memory', target: 1 }), 'type: Unsupported value: "Memory"'],
  'a target of nothing': [followed({ type: 'CPU', target: 0 }), 'spec.autoscaling.metrics[0].target'],
  'six metrics': [
    scaled({ metrics: Array(6).fill({ type: 'CPU', target: 1 }) }),
    'spec.autoscaling.metrics: Too many: 6',
  ],
  'sleep after a second': [scaled({ idleSeconds: 1 }), 'spec.autoscaling.idleSeconds in body should be greater'],
  'a time of more replicas than there may be': [
    scaled({ max: 2, schedules: [{ cron: '0 8 * * *', minutes: 60, min: 3 }] }),
    'autoscaling.schedules: min cannot be greater than max',
  ],
  'a time that is no cron': [
    scaled({ schedules: [{ cron: 'always', minutes: 60, min: 1 }] }),
    'cron must have five fields',
  ],
  'a time that lasts for no minute': [
    scaled({ schedules: [{ cron: '0 8 * * *', minutes: 0, min: 1 }] }),
    'spec.autoscaling.schedules[0].minutes in body should be greater',
  ],
  ...Object.fromEntries(
    ['healthz', '/a b', '/\r\nHost: x', 'http://10.0.0.1/'].map((path) => [
      `a readiness path ${JSON.stringify(path)}`,
      [service({ readiness: { path } }), 'path must begin with / and have no spaces'],
    ]),
  ),
  'an update that cannot move': [
    service({ update: { maxUnavailable: 0, maxSurge: 0 } }),
    'update: maxUnavailable and maxSurge cannot both be 0',
  ],
  '1001 requests that wait': [service({ wake: { requests: 1001 } }), 'spec.wake.requests in body should be less'],
  'a policy of a metric and a query': [policy({ query: 'up' }), 'spec: set either metric or query'],
  'a policy of neither': [policy({ metric: undefined }), 'spec: set either metric or query'],
  'a limit for what has no data': [
    policy({ rules: [{ type: 'NoData', compare: 'Above', value: 1 }] }),
    'rules: NoData has neither compare nor value',
  ],
  'a rule without a limit': [policy({ rules: [{ compare: 'Above' }] }), 'every other type needs both'],
  'a policy without rules': [policy({ rules: [] }), 'spec.rules in body should have at least 1 items'],
  'more met cycles than there are': [policy({ begins: { met: 4, of: 3 } }), 'begins.met cannot be more than begins.of'],
  'a disk’s temperature': [
    policy({ objects: { kind: 'DataDisk' } }),
    'objects.kind: objects of this kind do not have this metric',
  ],
  'one of several organisations': [
    policy({ objects: { kind: 'Organization', names: ['acme'] }, metric: 'CreditHours' }),
    'objects: the organisation has no names or labels',
  ],
  'a webhook to nowhere': [
    policy({ channels: [{ type: 'Webhook' }] }),
    'channels: Webhook, Slack and DingTalk need to, the name of a contact point',
  ],
  'a bell of somebody’s': [policy({ channels: [{ type: 'Bell', to: 'ann' }] }), 'Bell must not have it'],
  'a period of a second': [policy({ periodSeconds: 1 }), 'spec.periodSeconds'],
  'a period of 16 seconds': [policy({ periodSeconds: 16 }), 'spec.periodSeconds in body should be a multiple of 15'],
  'a mute until nobody knows when': [policy({ mutedUntil: 'tomorrow' }), 'must be a date and time such as'],
  'a silence of six fields': [
    policy({ silences: [{ cron: '0 0 2 * * *', minutes: 60 }] }),
    'cron must have five fields',
  ],
  'a policy of a longer name than a label has': [policy({}, 'a'.repeat(51)), 'metadata.name must be at most 50'],
  'a title that hides something': [policy({ title: 'a\u202eb' }), 'may not contain control, formatting'],
  'a request that waits for an hour': [
    service({ wake: { seconds: 3600 } }),
    'spec.wake.seconds in body should be less',
  ],
};
test('a log alone is saved beside no files', async () => {
  await server.kubectl.must(['create', '--dry-run=server', '-f', '-'], log({}));
});
test.each([
  ['a disk', disk({ displayName: 'data 2026.1' }, 'named-freely')],
  ['an image', image({ source: 'a/b:1', displayName: 'pytorch-2.4' }, 'named-freely')],
])('%s needs a name and no alphabet', async (_, wanted) => {
  await server.kubectl.must(['create', '--dry-run=server', '-f', '-'], wanted);
});

const ADMITTED: Record<string, KubeObject> = {
  'the smallest job': job({}),
  'a job of everything': soundJob as KubeObject,
  'a job of as much as there may be': job({
    ...{ workers: 64, gpu: { model: 'H100', count: 16 }, cores: 512, memoryGi: 8192, retries: 10 },
    ...{ maxRunMinutes: 129_600, command: ['a'.repeat(4096)], displayName: '训练 🚂' },
  }),
  'a job that climbs nowhere': job({ mounts: [{ from: 'a', mountPath: '/root/.cache' }] }),
  'a schedule by names of days in a zone of three parts': job({
    schedule: { cron: '*/15 8-18 1,15 JAN-JUN MON#1', timeZone: 'America/Argentina/Buenos_Aires' },
  }),
  'the smallest data processing task': dataProcess({ clean: {} }),
  'a data processing task of everything': soundProcess as KubeObject,
  'pairs by headings without a model': dataProcess({ type: 'QaPairs', qa: { rules: 'Headings' } }),
  'a knowledge base of small chunks': dataProcess({
    type: 'KnowledgeBase',
    chunks: { maxTokens: 16 },
    model: 'acme/embed',
  }),
  'the smallest evaluation': evaluation({}),
  'an evaluation of everything': soundEvaluation as KubeObject,
  'a model beside its adapter': evaluation({ subjects: [{ deployment: 'a' }, { deployment: 'a', adapter: 'b' }] }),
  'a judge without expected answers': evaluation({
    tasks: [{ dataset: 'dst-in', metric: 'Judge', columns: { prompt: 'a' } }],
    judge: { deployment: 'judge' },
  }),
  'the smallest fine-tuning task': fineTune({}),
  'a fine-tuning task of everything': soundTune as KubeObject,
  'a full fine-tuning as GGUF': fineTune({ method: 'Full', output: { name: 'out', gguf: true } }),
  'preferences with columns of one’s own': columns({ prompt: 'a', chosen: 'b', rejected: 'c' }, 'DPO'),
  'preferences without columns': fineTune({ objective: 'DPO' }),
  thirds: splits(['a', 33.33], ['b', 33.33], ['c', 33.34]),
  'the smallest service': service({}),
  'a service of everything': soundService as KubeObject,
  'a service that follows a query and sleeps': scaled({
    ...{ min: 0, max: 64, idleSeconds: 30 },
    metrics: [{ type: 'PromQL', target: 0.001, query: 'sum(rate(x[5m]))' }],
  }),
  'a service without replicas': service({ replicas: 0 }),
  'the smallest policy': policy({}),
  'a policy of everything': soundPolicy as KubeObject,
  'a policy of a query of one’s own': policy({ metric: undefined, query: 'sum(rate(x[5m])) > 0', groupBy: ['a'] }),
};
test.each(Object.entries(ADMITTED))('%s is admitted', async (_, wanted) => {
  const { metadata } = wanted;
  const own = { ...wanted, metadata: { name: metadata.name, namespace: NAMESPACE }, status: undefined };
  await server.kubectl.must(['create', '--dry-run=server', '-f', '-'], own as KubeObject);
});

test.each(readdirSync(EXAMPLES))('crds/examples/%s is admitted', async (file) => {
  await server.kubectl.must(['apply', '--server-side', '--dry-run=server', '-f', new URL(file, EXAMPLES).pathname]);
});

describe('at kubectl apply it is refused to ask for', () => {
  test.each(Object.entries(REFUSED))('%s', async (_, [wanted, sentence]) => {
    const { code, stderr } = await server.kubectl.run(['create', '--dry-run=server', '-f', '-'], wanted);
    expect(stderr).toContain(sentence);
    expect(code).not.toBe(0);
  });
});

const SETTLED: Record<string, [what: string, change: object, sentence: string]> = {
  'another creator': [
    'gpuinstance',
    { spec: { creator: 'bob' } },
    'spec.creator: Invalid value: "string": creator cannot be changed',
  ],
  'no creator any more': ['gpuinstance', { spec: { creator: null } }, 'spec.creator cannot be removed'],
  'a smaller home': ['gpuinstance', { spec: { homeDisk: { sizeGi: 10 } } }, 'homeDisk.sizeGi can only grow'],
  'another class of home': [
    'gpuinstance',
    { spec: { homeDisk: { storageClassName: 'fast' } } },
    'homeDisk.storageClassName cannot be changed',
  ],
  'a reboot taken back': ['gpuinstance', { spec: { rebootCount: -1 } }, 'spec.rebootCount'],
  'another source': [
    'image',
    { spec: { source: 'a/b:2' } },
    'spec.source: Invalid value: "object": source cannot be changed: create another image',
  ],
  'another model of a host': [
    'gpuhost',
    { spec: { gpu: { model: 'A100' } } },
    'spec.gpu: Invalid value: "object": gpu cannot be changed: rent another host',
  ],
  'another source of a host': [
    'gpuhost',
    { spec: { source: 'owned' } },
    'spec.source: Invalid value: "string": source cannot be changed',
  ],
  'fewer nodes': ['gpuhost', { spec: { nodes: 1 } }, 'spec.nodes: Invalid value: "integer": nodes can only grow'],
  'fewer months': ['gpuhost', { spec: { months: 1 } }, 'spec.months: Invalid value: "integer": months can only grow'],
  'another creator of an Image': ['image', { spec: { creator: 'bob' } }, 'creator cannot be changed'],
  'a smaller disk': [
    'datadisk',
    { spec: { sizeGi: 9 } },
    'spec.sizeGi: Invalid value: "integer": sizeGi can only grow: a smaller disk would lose data',
  ],
  'another access': ['datadisk', { spec: { access: 'Many' } }, 'access cannot be changed: create another disk'],
  'another class of a disk': [
    'datadisk',
    { spec: { storageClassName: 'fast' } },
    'storageClassName cannot be changed: create another disk',
  ],
  'another creator of a disk': ['datadisk', { spec: { creator: 'bob' } }, 'creator cannot be changed'],
  'a disk of nobody': ['datadisk', { spec: { creator: null } }, 'spec.creator cannot be removed'],
  'another creator of a job': ['gpujob', { spec: { creator: 'bob' } }, 'creator cannot be changed'],
  'a job of nobody': ['gpujob', { spec: { creator: null } }, 'spec.creator cannot be removed'],
  'a run taken back': ['gpujob', { spec: { runCount: 2 } }, 'runCount can only grow'],
  'a job that becomes a schedule': [
    'gpujob',
    { spec: { schedule: { cron: '0 2 * * *' } } },
    'a job cannot become a schedule, nor a schedule a job',
  ],
  'another creator of a service': ['containerservice', { spec: { creator: 'bob' } }, 'creator cannot be changed'],
  'a service of nobody': ['containerservice', { spec: { creator: null } }, 'spec.creator cannot be removed'],
  'a restart taken back': ['containerservice', { spec: { restartCount: 2 } }, 'restartCount can only grow'],
  'a published port that goes': [
    'containerservice',
    { spec: { ports: [{ port: 81 }], publish: { port: 80 } } },
    'spec.publish.port must be one of spec.ports',
  ],
  'an Image of nobody': ['image', { spec: { creator: null } }, 'spec.creator cannot be removed'],
};
describe('immutable fields stay, such as', () => {
  test.each(Object.entries(SETTLED))('%s', async (_, [what, change, sentence]) => {
    const args = [
      'patch',
      what,
      'kept',
      '-n',
      NAMESPACE,
      '--type=merge',
      '--dry-run=server',
      '-p',
      JSON.stringify(change),
    ];
    const { code, stderr } = await server.kubectl.run(args);
    expect(stderr).toContain(sentence);
    expect(code).not.toBe(0);
  });
});

test('a schedule does not become a job', async () => {
  const change = JSON.stringify({ spec: { schedule: null } });
  const { code, stderr } = await server.kubectl.run([
    ...['patch', 'gpujob', 'scheduled', '-n', NAMESPACE, '--type=merge', '--dry-run=server', '-p', change],
  ]);
  expect(stderr).toContain('a job cannot become a schedule, nor a schedule a job');
  expect(code).not.toBe(0);
});

test('a reboot counter does not go back', async () => {
  const patch = (rebootCount: number) =>
    server.kubectl.run([
      'patch',
      'gpuinstance',
      'kept',
      '-n',
      NAMESPACE,
      '--type=merge',
      '-p',
      JSON.stringify({ spec: { rebootCount } }),
    ]);
  expect(await patch(2)).toMatchObject({ code: 0 });
  expect((await patch(1)).stderr).toContain('spec.rebootCount: Invalid value: "integer": rebootCount can only grow');
});

test('the smallest instance gets its defaults', async () => {
  const made = await server.kubectl.must(
    ['create', '--dry-run=server', '-o', 'json', '-f', '-'],
    instance({ gpu: { model: 'H100' } }),
  );
  expect(JSON.parse(made).spec).toMatchObject({
    power: 'Running',
    rebootCount: 0,
    gpu: { count: 1 },
    cores: 2,
    memoryGi: 4,
    homeDisk: { sizeGi: 20 },
  });
});
