// The SSH door with OpenSSH's own clients: what it permits, what it refuses, and that an ended right has ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { GpuInstanceSpec } from '@gantry/contract/kinds/gpu-instance.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startControllerManager } from '../../hack/control-plane.ts';
import { stopProcess } from '../../hack/process.ts';
import { run } from '../../hack/run.ts';
import { sshDoor } from '../../hack/ssh-door.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { soakTest } from '../support/soak.ts';
import type { Instance } from './instance.ts';
import { type Held, SshClient } from './ssh-client.ts';
import { setStage } from './stage.ts';

const stage = setStage();
/** An ended right ends within seconds; how many on a busy machine is only reported. */
const ENDS_WITHIN_MS = 30_000;

let address: string;
let dev: Instance;
let other: Instance;
let ann: SshClient;
let bob: SshClient;
const held: Held[] = [];

beforeAll(async () => {
  address = sshDoor(stage().cluster) ?? '';
  [ann, bob] = (await Promise.all(
    ['ann', 'bob'].map((name) => SshClient.make(join(stage().folder, name), address)),
  )) as [SshClient, SshClient];
  const acme = await stage().organization('door');
  [dev, other] = await Promise.all([
    acme.instance('dev', { sshKeys: keysOf(ann) }),
    acme.instance('other', { sshKeys: keysOf(bob) }),
  ]);
  await Promise.all([dev.reaches('running'), other.reaches('running')]);
}, 180_000);

afterAll(() => {
  for (const { child } of held) child.kill('SIGKILL');
});

type Keys = NonNullable<GpuInstanceSpec['sshKeys']>;
const keysOf = (client: SshClient, expiresAt?: string): Keys => [
  { remark: 'laptop', publicKey: client.publicKey, ...(expiresAt && { expiresAt }) },
];
const hostOf = ({ name, namespace }: Instance) => `${name}.instances.${namespace}.svc`;
/** How it is logged in to: through the door, as root. */
const into = (instance: Instance) => ['-J', 'door', `root@${hostOf(instance)}`];

/** It stays until the test ends it, or somebody else does. */
async function hold(client: SshClient, args: readonly string[]): Promise<Held> {
  const one = await client.hold(args);
  held.push(one);
  return one;
}

/** A new key of an instance reaches the door within moments. */
const letsIn = (client: SshClient, instance: Instance) =>
  eventually(`${instance.name} lets the client in`, () =>
    client.must('ssh', [...into(instance), 'true']).then(() => true),
  );

const hasEnded = ({ child }: Held) => child.exitCode !== null || child.signalCode !== null;
const endsSoon = (one: Held) => eventually('the session is ended', () => hasEnded(one), ENDS_WITHIN_MS);

test('the common tools pass: ssh -J, -W, scp, sftp, rsync', async () => {
  await letsIn(ann, dev);
  expect(await ann.must('ssh', [...into(dev), 'hostname; id -u'])).toBe('dev\n0');
  expect(await ann.must('ssh', ['-J', 'door', `root@${hostOf(dev)}.cluster.local`, 'hostname'])).toBe('dev');
  const proxy = `ProxyCommand=ssh -F ${ann.folder}/config -W %h:%p door`;
  expect(await ann.must('ssh', ['-o', proxy, `root@${hostOf(dev)}`, 'hostname'])).toBe('dev');

  const file = join(ann.folder, 'data');
  await run('dd', ['if=/dev/urandom', `of=${file}`, 'bs=1M', 'count=8', 'status=none']);
  const sum = async (path: string) => (await run('sha256sum', [path])).split(' ')[0];
  await ann.must('scp', ['-J', 'door', file, `root@${hostOf(dev)}:data`]);
  expect(await ann.must('ssh', [...into(dev), 'sha256sum data'])).toContain(await sum(file));
  await ann.must('sftp', ['-J', 'door', '-b', '-', `root@${hostOf(dev)}`], `get data ${file}.back\n`);
  expect(await sum(`${file}.back`)).toBe(await sum(file));

  // The image has no rsync: it goes along, with the libraries it names.
  const listed = await run('ldd', ['/usr/bin/rsync']);
  const libraries = listed.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  await ann.must('ssh', [...into(dev), 'mkdir -p rsync']);
  await ann.must('scp', ['-J', 'door', '/usr/bin/rsync', ...libraries, `root@${hostOf(dev)}:rsync/`]);
  const loader = libraries
    .find((library) => library.includes('ld-linux'))
    ?.split('/')
    .at(-1);
  const rsyncThere = `/root/rsync/${loader} --library-path /root/rsync /root/rsync/rsync`;
  const shell = `ssh -F ${ann.folder}/config -J door`;
  await run('rsync', ['-a', '-e', shell, `--rsync-path=${rsyncThere}`, file, `root@${hostOf(dev)}:/root/synced`]);
  expect(await ann.must('ssh', [...into(dev), 'sha256sum synced'])).toContain(await sum(file));
});

test("VS Code's handshake goes through: a script on standard input, and a server of the instance by SOCKS", async () => {
  const [port = 0] = await freePorts(1);
  const [file, argv] = ann.command('ssh', ['-T', '-D', String(port), ...into(dev), 'sh']);
  const child = spawn(file, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  held.push({ child, ended: once(child, 'close').then(() => ({ code: 0, stdout: '', stderr: '' })) });
  child.stdin.write('mkdir -p /tmp/web && echo hello > /tmp/web/index.html\n');
  child.stdin.write('httpd -p 127.0.0.1:9000 -h /tmp/web && echo listeningOn=9000==\n');
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(said).toBe('listeningOn=9000==\n');
  expect(await getThroughSocks(port, '127.0.0.1', 9000)).toContain('hello');
});

/** SOCKS 5 without a password, and one GET. */
async function getThroughSocks(proxy: number, host: string, port: number): Promise<string> {
  const socket = connect(proxy, '127.0.0.1');
  await once(socket, 'connect');
  await ask(socket, Buffer.from([5, 1, 0]));
  const reply = await ask(socket, Buffer.from([5, 1, 0, 3, host.length, ...Buffer.from(host), port >> 8, port & 255]));
  if (reply[1] !== 0) throw new Error(`SOCKS refused: ${reply[1]}`);
  socket.write('GET / HTTP/1.0\r\n\r\n');
  return allOf(socket);
}

async function allOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function ask(socket: Socket, question: Buffer): Promise<Buffer> {
  socket.write(question);
  const [answer] = await once(socket, 'data');
  return answer;
}

describe('the door leads nowhere else', () => {
  test('not to what the key does not open', async () => {
    const { bridge, apiServiceIp, nodes, dnsIp } = stage().cluster;
    const targets = [
      `${hostOf(other)}:22`,
      `${hostOf(dev)}:23`,
      `dev.instances.org-another.svc:22`,
      `${dev.pod().status?.podIP}:22`,
      `${apiServiceIp}:443`,
      `kubernetes.default.svc:443`,
      `${bridge.ip}:6443`,
      `${bridge.ip}:5000`,
      `${nodes[0]?.ip}:10250`,
      `${dnsIp}:53`,
      'localhost:2222',
      '127.0.0.1:8080',
      '169.254.169.254:80',
    ];
    const answers = await Promise.all(targets.map((target) => ann.run('ssh', ['-W', target, 'door'])));
    expect(answers.map(({ code, stdout }) => [code, stdout])).toEqual(targets.map(() => [255, '']));
    for (const { stderr } of answers) expect(stderr).toContain('stdio forwarding failed');
    const loud = await ann.run('ssh', ['-o', 'LogLevel=INFO', '-W', targets[0] ?? '', 'door']);
    expect(loud.stderr).toContain('administratively prohibited');
  });

  test('not by any other kind of forwarding, and to no shell', async () => {
    const fails = ['-o', 'ExitOnForwardFailure=yes', '-o', 'LogLevel=INFO', '-N'];
    const remote = await ann.run('ssh', [...fails, '-R', '0:localhost:22', 'door']);
    expect([remote.code, remote.stderr]).toEqual([255, expect.stringContaining('remote port forwarding failed')]);
    const socket = join(ann.folder, 'socket');
    const stream = await ann.run('ssh', [...fails, '-R', `/tmp/x:${socket}`, 'door']);
    expect([stream.code, stream.stderr]).toEqual([255, expect.stringContaining('remote port forwarding failed')]);
    // A socket of the door's own container: what connects to the near end is hung up on.
    const shared = ['-S', join(ann.folder, 'master')];
    await ann.must('ssh', [...shared, '-M', '-f', '-N', '-L', `${socket}:/run/door.sock`, 'door']);
    expect(await allOf(connect(socket))).toBe('');
    await ann.run('ssh', [...shared, '-O', 'exit', 'door']);
    for (const line of [[], ['id'], ['sh', '-i']]) {
      const { code, stdout, stderr } = await ann.run('ssh', ['door', ...line]);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('This door leads to instances only.')]);
    }
    expect((await ann.run('ssh', ['-tt', 'door'])).stderr).toContain('PTY allocation request failed');
    expect((await ann.run('sftp', ['-b', '-', 'door'], { input: 'ls /\n' })).stdout).toBe('');
  });

  test('not for a stranger, another user, or a password', async () => {
    const stranger = await SshClient.make(join(stage().folder, 'stranger'), address);
    for (const args of [['door'], ['-l', 'root', 'door'], ['-W', `${hostOf(dev)}:22`, 'door']]) {
      const { code, stderr } = await stranger.run('ssh', args);
      expect([code, stderr]).toEqual([255, expect.stringContaining('Permission denied (publickey)')]);
    }
    expect((await ann.run('ssh', ['-l', 'root', 'door'])).stderr).toContain('Permission denied (publickey)');
  });
});

test('the door follows runs by itself: refused at once after a stop, and led to the next run while EndpointSlices stand still', async () => {
  const { cluster } = stage();
  const before = dev.now.status?.podIP;
  await stopProcess(cluster, 'kube-controller-manager');
  try {
    await dev.wish({ power: 'Stopped' });
    await dev.becomes('without an address', ({ status }) => status.podIP === undefined);
    const refused = await ann.run('ssh', ['-o', 'LogLevel=INFO', '-W', `${hostOf(dev)}:22`, 'door']);
    expect([refused.code, refused.stderr]).toEqual([255, expect.stringContaining('Name or service not known')]);
    await dev.reaches('stopped');
    await dev.wish({ power: 'Running' });
    const { status } = await dev.reaches('running');
    expect(status.podIP).not.toBe(before);
    await letsIn(ann, dev);
    expect(await ann.must('ssh', [...into(dev), 'hostname -i'])).toContain(status.podIP);
  } finally {
    await startControllerManager(cluster);
  }
});

describe('a right that ends', () => {
  const session = ['echo in; sleep 600'];
  const sharedBy = ({ folder }: SshClient) => ['-S', join(folder, 'master')];
  const isShared = async (client: SshClient) =>
    (await client.run('ssh', [...sharedBy(client), '-O', 'check', 'door'])).code === 0;

  /** A connection to the door alone, which the instance knows nothing of, and a session that goes through it. */
  async function share(client: SshClient, instance: Instance): Promise<Held> {
    await client.must('ssh', [...sharedBy(client), '-M', '-f', '-N', 'door']);
    const proxy = `ProxyCommand=ssh -F ${client.folder}/config ${sharedBy(client).join(' ')} -W %h:%p door`;
    return hold(client, ['-o', proxy, `root@${hostOf(instance)}`, ...session]);
  }

  const refusedSoon = (client: SshClient, instance: Instance) =>
    eventually(
      'the door refuses the key',
      async () => (await client.run('ssh', ['-W', `${hostOf(instance)}:22`, 'door'])).code === 255,
      ENDS_WITHIN_MS,
    );
  const isHungUp = (client: SshClient) =>
    eventually('the door ends the shared connection', async () => !(await isShared(client)), ENDS_WITHIN_MS);

  async function losesIt(why: string, client: SshClient, instance: Instance, shared: Held): Promise<void> {
    const began = performance.now();
    await Promise.all([endsSoon(shared), isHungUp(client)]);
    await refusedSoon(client, instance);
    console.log(`${why}: no right was left after ${Math.round(performance.now() - began)} ms`);
  }

  afterAll(() => bob.run('ssh', [...sharedBy(bob), '-O', 'exit', 'door']));

  test('revoked: connections end, shared ones too; another instance of the key is left alone', async () => {
    const bobs = keysOf(bob).map((key) => ({ ...key, remark: 'bob' }));
    await dev.wish({ sshKeys: [...keysOf(ann), ...bobs] });
    await letsIn(bob, dev);
    const [elsewhere, annsOwn] = await Promise.all([
      hold(bob, [...into(other), ...session]),
      hold(ann, [...into(dev), ...session]),
    ]);
    const shared = await share(bob, dev);
    expect(await isShared(bob)).toBe(true);

    await dev.wish({ sshKeys: keysOf(ann) });
    await losesIt('revoked', bob, dev, shared);
    expect([elsewhere, annsOwn].map(hasEnded)).toEqual([false, false]);
    expect(await bob.must('ssh', [...into(other), 'hostname'])).toBe('other');
  });

  test('expired: refused and ended by the time alone', async () => {
    // Two logins come before it.
    const expiresAt = new Date(Date.now() + 30_000).toISOString().replace(/\.\d+/, '');
    await other.wish({ sshKeys: keysOf(bob, expiresAt) });
    const shared = await share(bob, other);
    await eventually('the key expires', () => Date.now() > Date.parse(expiresAt), 60_000);
    await losesIt('expired', bob, other, shared);
    await other.wish({ sshKeys: keysOf(bob) });
  });
});

describe('the door itself', () => {
  const doorPods = ['--namespace', 'gantry-system', 'pods', '--selector', 'app.kubernetes.io/name=gantry-ssh-door'];
  const PATIENCE_MS = 60_000;
  const isIn = async (client: SshClient, instance: Instance) =>
    (await client.must('ssh', ['-o', 'StrictHostKeyChecking=yes', ...into(instance), 'hostname'])) === instance.name;

  test('killed: back within seconds with the same host key; closed: what is open goes on for a while', async () => {
    const { kubectl } = stage();
    const doors = async () => (await kubectl.get<{ items: Pod[] }>(...doorPods))?.items ?? [];
    const open = await hold(ann, [...into(dev), 'echo in; sleep 600']);
    const [before] = await doors();
    await kubectl.must(['delete', ...doorPods, '--wait=false']);
    await eventually('another door is ready', async () =>
      (await doors()).some(
        ({ metadata, status }) =>
          metadata.uid !== before?.metadata.uid &&
          status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True'),
      ),
    );
    await eventually('the door lets in again', () => isIn(ann, dev));
    expect(hasEnded(open)).toBe(false);
    open.child.kill();

    await kubectl.must(['delete', ...doorPods, '--grace-period=0', '--force', '--wait=false']);
    await eventually('the door lets in again', () => isIn(ann, dev));
  });

  test('without an API server the keys known so far let in, and all holds again once it answers', async () => {
    await letsIn(bob, other);
    const { cluster, kubectl } = stage();
    const [node] = cluster.nodes;
    const from = await eventually('one door has an address', async () => {
      const pods = (await kubectl.get<{ items: Pod[] }>(...doorPods))?.items.filter(
        (pod) => !pod.metadata.deletionTimestamp,
      );
      return pods?.length === 1 ? pods[0]?.status?.podIP : undefined;
    });
    const rule = ['FORWARD', '-s', from, '-d', cluster.bridge.ip, '-p', 'tcp', '--dport', '6443', '-j', 'REJECT'];
    const inside = { netnsPath: node?.netnsPath ?? '' };
    const health = async (path: string) => (await fetch(`http://${from}:8080${path}`)).text();
    await run('iptables', ['-w', '-I', ...rule, '--reject-with', 'tcp-reset'], inside);
    try {
      const isDeaf = async () => /^gantry_door_stale_seconds [^0]/m.test(await health('/metrics'));
      await eventually('the door hears nothing', isDeaf, PATIENCE_MS);
      await dev.wish({ sshKeys: [] });
      expect(await isIn(bob, other)).toBe(true);
      expect(await health('/readyz')).toBe('ok\n');
      expect((await ann.run('ssh', ['-o', 'LogLevel=INFO', '-W', 'localhost:1', 'door'])).stderr).toContain(
        'prohibited',
      );
    } finally {
      await run('iptables', ['-w', '-D', ...rule, '--reject-with', 'tcp-reset'], inside);
    }
    await eventually('the door knows what was revoked meanwhile', async () =>
      (await ann.run('ssh', ['door'])).stderr.includes('Permission denied'),
    );
    await dev.wish({ sshKeys: keysOf(ann) });
    await letsIn(ann, dev);
  });

  soakTest('a crowd without keys from one place shuts out nobody from another', async () => {
    const [host = '', port] = address.split(':');
    const crowd = Array.from({ length: 200 }, () => connect(Number(port), host).on('error', () => undefined));
    try {
      // Accepted clients see its version; the others an error about too many connections, or nothing.
      const taken = await Promise.all(
        crowd.map(async (socket) => {
          const [said] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
          return String(said).startsWith('SSH-');
        }),
      );
      expect(taken.filter(Boolean).length).toBeLessThanOrEqual(30);
      expect(taken.filter(Boolean).length).toBeGreaterThan(0);
      const inside = stage().cluster.nodes[1]?.netnsPath ?? '';
      const answer = await ann.run('ssh', ['-W', `${hostOf(dev)}:22`, 'door'], { inside, input: '' });
      expect(answer.stdout).toMatch(/^SSH-2.0-/);
    } finally {
      for (const socket of crowd) socket.destroy();
    }
    await letsIn(ann, dev);
  });
});
