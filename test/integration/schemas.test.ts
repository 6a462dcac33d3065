// Whatever admission can know is refused at `kubectl apply`, in one sentence that names the field and the rule.
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { gpuInstance } from '../support/builders.ts';

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
const REFUSED: Record<string, [wanted: KubeObject | string, sentence: string]> = {
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
    'Malformed: an image is written repo/name:tag, such as pytorch/pytorch:2.4.0',
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
    'spec.notebookPort: Invalid value: "object": spec.notebookPort is also in spec.ports: name a port once',
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
  'a log of no Pod': [log({ podUID: undefined }), 'spec.node, spec.podName and spec.podUID to all others'],
  'a quota below nothing': [
    organization({ quota: { gpus: -1 } }),
    'spec.quota.gpus in body should be greater than or equal to 0',
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
