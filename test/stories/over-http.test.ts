// A tenant's experience with nothing but HTTP: from a stranger to a shell in a running instance, and out again. Once with the
// people in the embedded database, once in PostgreSQL; the gateway is killed on the way.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { gatewayFlags } from '../../hack/gateway.ts';
import { waitUntil } from '../faults/wait-until.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import type { CallInput } from '../support/http-client.ts';
import { kubectlWith } from '../support/kubectl.ts';
import { LiveStream, LiveTerminal } from '../support/live.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type PostgresServer, startPostgres } from '../support/postgres-server.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import { SMALL, setStage } from './stage.ts';

const stage = setStage('--probe-every=24h');
const WATCH = gpuInstance.plural;
/** Ids as there might be. */
const NO_INSTANCE = 'ins-00000000';
const NO_ORGANIZATION = 'a0000000';

/** Writes what somebody puts into a file; fails on demand in its first run. */
const TALKATIVE = [
  'echo it begins',
  'while sleep 0.2',
  'do if [ -e /root/say ]; then cat /root/say; rm /root/say; fi',
  'if [ -e /root/fail ]; then rm /root/fail; printf "\\033[31mno such table\\033[0m\\n"; exit 3; fi',
  'done',
].join('\n');

const FIRST_LOG = 'it begins\nhello\n\u001b[31mno such table\u001b[0m\n';
/** Without the lines of the SSH server beside it. */
const ofProgram = (log: string): string => log.replace(/^agent ssh: .*\n/gm, '');

describe.each(['PGlite', 'PostgreSQL'])('over HTTP alone, with people in %s', (database) => {
  let postgres: PostgresServer | undefined;
  let mailbox: Mailbox;
  let gateway: GatewayProcess;
  let ann: Person;
  let bob: Person;
  let eve: Person;
  let orgId: string;
  let live: LiveStream;
  let id: string;
  /** Names of people are unique in an installation, and addresses too. */
  const named = (name: string) => `${name}_${database.toLowerCase()}`.slice(0, 20);

  beforeAll(async () => {
    mailbox = await openMailbox();
    postgres = database === 'PostgreSQL' ? await startPostgres() : undefined;
    const flags = [...(await gatewayFlags(stage().cluster)), `--smtp-url=${mailbox.url}`];
    gateway = await GatewayProcess.start(stage().admin, {
      flags,
      databaseUrl: await postgres?.createDatabase('gantry'),
    });
  });
  afterAll(async () => {
    live?.close();
    await gateway?.close();
    await postgres?.end();
    await mailbox?.close();
  });

  /** A person and the organisation that came with them, which the stage takes away. */
  async function comes(name: string): Promise<Person> {
    const person = await signUp(gateway.client, mailbox, named(name));
    const { org_id } = await person.client.must(ACCOUNT_ROUTES.getMe);
    stage().adopt(org_id);
    return person;
  }

  test('a stranger solves a puzzle, types the code from a mail, registers and logs in', async () => {
    ann = await comes('ann');
    const me = await ann.client.must(ACCOUNT_ROUTES.getMe);
    expect(me).toMatchObject({ username: ann.name, email: ann.email, role: 'owner', platform_roles: [] });
    const { headers, status } = await gateway.client.call(ACCOUNT_ROUTES.getMe);
    expect(status).toBe(401);
    expect(headers.get('x-request-id')).toBeTruthy();
  });

  test('makes an organisation and invites a second person, who registers and accepts', async () => {
    const made = await ann.client.must(ORGANIZATION_ROUTES.createOrganization, { body: { org_name: 'Acme' } });
    orgId = made.org_id;
    stage().adopt(orgId);
    await ann.enter(orgId);
    expect(await ann.organizationReady()).toMatchObject({ org_name: 'Acme', role: 'owner' });

    const account = `${named('bob')}@example.test`;
    const added = await ann.client.must(ORGANIZATION_ROUTES.inviteMembers, {
      params: { org_id: orgId },
      body: { members: [{ account, role: 'member' }] },
    });
    expect(added).toMatchObject([{ account, outcome: 'invited' }]);
    expect((await mailbox.newest(account)).subject).toContain('Acme');
    bob = await comes('bob');
    await bob.join(orgId);
    expect(await bob.client.must(ACCOUNT_ROUTES.getMe)).toMatchObject({ org_id: orgId, role: 'member' });
  });

  test('the second person makes an instance, and the stream shows how it comes to run', async () => {
    live = await LiveStream.open(bob.client, WATCH);
    const { image = '', cores = 0, memoryGi = 0, homeDisk } = SMALL;
    const command = ['sh', '-c', TALKATIVE];
    const body = { displayName: 'dev', image, cores, memoryGi, command, ...(homeDisk && { homeDisk }) };
    // A new member: the cluster learns of them a moment later, and says so until then.
    const made = await eventually('the instance is made', () =>
      bob.client.must(KIND_ROUTES.gpuInstance.create, { body }),
    );
    id = made.id;
    expect(made).toMatchObject({ name: 'dev', creator: bob.accountId });
    await live.tells(id, 'running');
    const { message, actions } = await bob.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } });
    expect(message).toBeTruthy();
    expect(actions.map(({ action }) => action)).toContain('stop');
  });

  test('types `id` in a terminal', async () => {
    const { url } = await bob.client.must(TERMINAL_ROUTES.openTerminal, { params: { id } });
    const terminal = new LiveTerminal(bob.client, url);
    try {
      await terminal.becomes('connected');
      terminal.type('id\n');
      await terminal.shows(/uid=0\(root\)/);
      // A ticket counts once.
      const second = new LiveTerminal(bob.client, url);
      await second.becomes('error');
      second.close();
      terminal.type('exit\n');
      await terminal.becomes('closed');
    } finally {
      terminal.close();
    }
  });

  /** As `kubectl exec` by the administrator. */
  const inside = (command: string) =>
    stage().kubectl.must(['exec', '-n', `org-${orgId}`, podOf(), '--', 'sh', '-c', command]);
  const podOf = () => {
    const pod = stage()
      .pods.living()
      .find(({ metadata }) => metadata.name.startsWith(`${id}-`));
    return pod?.metadata.name ?? '';
  };
  const readLog = (number: number, query: Record<string, string> = {}, person = bob) =>
    person.client.open(KIND_ROUTES.gpuInstance.log, { params: { id, number }, query });
  const runsOf = () => bob.client.must(KIND_ROUTES.gpuInstance.runs, { params: { id } });

  test('follows what the program writes, while it writes it', async () => {
    const said = await follow(await readLog(1, { follow: 'true' }));
    await eventually('the beginning is there', () => said.text().includes('it begins\n'));
    await inside('echo hello > /root/say');
    await eventually('a new line is there', () => said.text().includes('hello\n'));
    expect(await runsOf()).toMatchObject([{ number: 1, cause: 'first', end_time: null, exit: null, log: null }]);
    await inside('touch /root/fail');
    // The run ends, and the answer with it.
    expect(ofProgram(await said.ended)).toBe(FIRST_LOG);
  });

  test('the failure quotes its last lines, and its log is there while the next run goes on', async () => {
    await eventually('why it failed is said', async () => {
      const { message } = await bob.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } });
      return message?.includes('exit code 3, after it wrote “it begins ⏎ hello ⏎ no such table”');
    });
    await live.tells(id, 'running', { from: live.phasesOf(id).length });
    const [second, first] = await runsOf();
    expect(second).toMatchObject({ number: 2, cause: 'crash', end_time: null });
    expect(first).toMatchObject({ number: 1, exit: 'exit code 3', exit_code: 3, log: { is_cut: false } });
    const answer = await readLog(1, { timestamps: 'true', search: 'HELLO' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${id}-1.log"`,
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toMatch(/^\d{4}-\d\d-\d\dT\S+Z hello\n$/);
    expect(await (await readLog(1, { tail: '2' })).text()).toBe('hello\n\u001b[31mno such table\u001b[0m\n');
    expect((await readLog(3)).status).toBe(404);
    // For its usage, below.
    await inside('timeout 600 sh -c "while :; do :; done" > /dev/null 2>&1 &');
  });

  test('the gateway is killed and started anew: tokens count, and the stream goes on', async () => {
    gateway.kill();
    await gateway.restart();
    const listed = await bob.client.must(KIND_ROUTES.gpuInstance.list);
    expect(listed.map((instance) => [instance.id, instance.phase])).toEqual([[id, 'running']]);
    await eventually('the stream is open again', () => live.isOpen, 30_000);
  });

  test('for another tenant there is nothing: not the instance, not a way into the organisation', async () => {
    eve = await comes('eve');
    expect(await eve.client.must(KIND_ROUTES.gpuInstance.list)).toEqual([]);
    const answers = async <F extends RouteFacts>(route: F, input: CallInput<F>, nothing: CallInput<F>) => {
      const said = async (each: CallInput<F>) => {
        const { status, body } = await eve.client.call(route, each);
        const { request_id: _, ...rest } = body;
        const ids = [id, orgId, NO_INSTANCE, NO_ORGANIZATION];
        return {
          route: route.id,
          status,
          text: ids.reduce((text, each) => text.replaceAll(each, '<id>'), JSON.stringify(rest)),
        };
      };
      const hers = await said(input);
      expect(hers).toMatchObject({ status: 404 });
      expect(hers).toEqual(await said(nothing));
    };
    const [there, nowhere] = [{ params: { id } }, { params: { id: NO_INSTANCE } }];
    await answers(KIND_ROUTES.gpuInstance.read, there, nowhere);
    const stop = { body: { action: 'stop' as const } };
    await answers(KIND_ROUTES.gpuInstance.act, { ...there, ...stop }, { ...nowhere, ...stop });
    await answers(KIND_ROUTES.gpuInstance.remove, there, nowhere);
    await answers(TERMINAL_ROUTES.openTerminal, there, nowhere);
    await answers(KIND_ROUTES.gpuInstance.runs, there, nowhere);
    const ofFirst = (params: { id: string }) => ({ params: { ...params, number: 1 } });
    await answers(KIND_ROUTES.gpuInstance.log, ofFirst(there.params), ofFirst(nowhere.params));
    await answers(KIND_ROUTES.gpuInstance.usage, there, nowhere);
    const [acme, none] = [{ body: { org_id: orgId } }, { body: { org_id: NO_ORGANIZATION } }];
    await answers(ACCOUNT_ROUTES.switchOrganization, acme, none);
    await answers(ORGANIZATION_ROUTES.listMembers, { params: acme.body }, { params: none.body });
    expect((await bob.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } })).phase).toBe('running');
  });

  test('uses kubectl by a downloaded kubeconfig, and loses all that is open with it when it is revoked', async () => {
    const expiration_time = new Date(Date.now() + 3_600_000).toISOString();
    const made = await bob.client.must(KEY_ROUTES.createKubeconfig, { body: { remark: 'laptop', expiration_time } });
    const file = join(stage().folder, made.id, 'kubeconfig');
    await mkdir(dirname(file));
    await writeFile(file, made.kubeconfig, { mode: 0o600 });
    const kubectl = kubectlWith(file);
    expect(await kubectl.must(['get', 'gpuinstances', '-o', 'name'])).toContain(id);
    const pod = (await kubectl.must(['get', 'pods', '-o', 'name'])).trim();
    expect(pod).toContain(id);
    expect(ofProgram(await kubectl.must(['logs', pod]))).toBe('it begins\n');
    expect(await kubectl.must(['exec', '-i', pod, '--', 'sh', '-c', 'cat; id'], 'typed\n')).toMatch(
      /typed\nuid=0\(root\)/,
    );
    const open = await Promise.all([
      kubectl.follow(['get', 'gpuinstances', '--watch']),
      kubectl.follow(['exec', pod, '--', 'sh', '-c', 'echo inside; sleep 3600']),
      kubectl.follow(['port-forward', pod, ':22']),
    ]);
    const words = [id, 'inside', 'Forwarding from'];
    await eventually('all are open', () => open.every(({ said }, at) => said().includes(words[at] ?? '')));
    await bob.client.must(KEY_ROUTES.deleteKubeconfig, { params: { id: made.id } });
    await Promise.all(open.map(({ ended }) => ended));
    const { stderr } = await kubectl.run(['get', 'gpuinstances']);
    expect(stderr).toContain('expired or revoked');
    expect((await bob.client.must(KIND_ROUTES.gpuInstance.read, { params: { id } })).phase).toBe('running');
  });

  test('sees what the busy instance uses, now and since the gateway is there', async () => {
    const read = async () => (await bob.client.must(KIND_ROUTES.gpuInstance.usage, { params: { id } })).series;
    const { cores = 0, memoryGi = 0 } = SMALL;
    // Not as often as elsewhere: the kubelet looks at volumes once a minute, and a session has 600 calls in one.
    const series = await waitUntil(
      'all is measured',
      async () => {
        const known = await read();
        return known.every(({ now }) => now !== null) && (known[0]?.now ?? 0) > 0 ? known : undefined;
      },
      { limitMs: 120_000, everyMs: 1_000 },
    );
    expect(series.map(({ name, unit, limit }) => ({ name, unit, limit }))).toEqual([
      { name: 'cpu', unit: 'cores', limit: cores },
      { name: 'memory', unit: 'bytes', limit: memoryGi * 2 ** 30 },
      { name: 'root', unit: 'bytes', limit: expect.any(Number) },
      { name: 'home', unit: 'bytes', limit: expect.any(Number) },
    ]);
    // One program that never waits, within its limit; the kubelet's own value may be a little above.
    expect(series[0]?.now).toBeLessThan(2 * cores);
    expect(series[1]?.now).toBeGreaterThan(0);
    expect(series[1]?.now).toBeLessThan(memoryGi * 2 ** 30);
    for (const { points, now } of series) {
      expect(points).toHaveLength(240);
      expect(points).toContain(now);
      expect(points[0]).toBeNull();
    }
  });

  test('stops the instance, and the stream shows it at rest', async () => {
    const from = live.phasesOf(id).length;
    const { status, body } = await bob.client.call(KIND_ROUTES.gpuInstance.act, {
      params: { id },
      body: { action: 'stop' },
    });
    expect({ status, phase: body.result.phase }).toEqual({ status: 202, phase: 'stopping' });
    await live.tells(id, 'stopped', { from });
    // Its Pods are gone.
    expect(ofProgram(await (await readLog(1)).text())).toBe(FIRST_LOG);
    await eventually('the log of the second run is kept', async () => (await runsOf())[0]?.log !== null);
    expect(ofProgram(await (await readLog(2, { follow: 'true' })).text())).toBe('it begins\n');
  });

  test('logs out, and the token counts for nothing from then on', async () => {
    await bob.client.must(ACCOUNT_ROUTES.logout);
    const { status, body } = await bob.client.call(ACCOUNT_ROUTES.getMe);
    expect({ status, error: body.error }).toEqual({ status: 401, error: 'unauthenticated' });
    await eventually('the stream of that token has ended', () => !live.isOpen);
    expect(gateway.logs().join('\n')).not.toContain(bob.password);
  });
});

/** An answer that goes on. */
async function follow(answer: Response) {
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(chunk);
    return text;
  };
  return { text: () => text, ended: read() };
}
