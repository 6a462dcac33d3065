// Into a real container by browser, and its way out again: a terminal, what the instance serves, the files of a disk. Whatever
// side dies, nothing of a terminal is left on the node.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { FILE_ROUTES } from '@gantry/contract/areas/instances/files.ts';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import WebSocket from 'ws';
import { mustCallApi } from '../../hack/api-call.ts';
import { gatewayFlags } from '../../hack/gateway.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { type Mailbox, openMailbox } from '../support/mail-sink.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import type { Instance } from './instance.ts';
import { setStage } from './stage.ts';

const stage = setStage('--probe-every=24h');
const TENANTS = 'tenants.localhost';
let mailbox: Mailbox;
let gateway: GatewayProcess;
let ann: Person;
let eve: Person;
let dev: Instance;
let orgId: string;

beforeAll(async () => {
  mailbox = await openMailbox();
  const flags = [...(await gatewayFlags(stage().cluster)), `--smtp-url=${mailbox.url}`, `--tenant-domain=${TENANTS}`];
  gateway = await GatewayProcess.start(stage().admin, { flags });
  [ann, eve] = await Promise.all([
    signUp(gateway.client, mailbox, 'terminal_ann'),
    signUp(gateway.client, mailbox, 'terminal_eve'),
  ]);
  const tenants = await Promise.all(
    [ann, eve].map(async ({ client }) => stage().adopt((await client.must(ACCOUNT_ROUTES.getMe)).org_id)),
  );
  await Promise.all(tenants.map((tenant) => tenant.isReady()));
  const [tenant] = tenants;
  if (!tenant) throw new Error('nobody came');
  orgId = tenant.id;
  const path = `/apis/gantry.dev/v1alpha1/namespaces/${tenant.namespace}/datadisks`;
  for (const name of ['data', 'held']) {
    const disk = { apiVersion: 'gantry.dev/v1alpha1', kind: 'DataDisk', metadata: { name }, spec: { sizeGi: 1 } };
    await mustCallApi(stage().cluster, { method: 'POST', path, body: disk });
  }
  dev = await tenant.instance('dev', {
    notebookPort: 8888,
    command: ['httpd', '-f', '-p', '8888', '-h', '/etc'],
    disks: [{ name: 'held', mountPath: '/mnt/held' }],
  });
  await dev.reaches('running');
}, 240_000);
afterAll(async () => {
  await gateway?.close();
  await mailbox?.close();
});

test('input runs in the container, whatever its bytes, and the shell ends with its code', async () => {
  const page = await openPage();
  await page.types('id\n').shows('uid=0(root)');
  page.socket.send(JSON.stringify({ type: 'resize', cols: 123, rows: 45 }));
  await page.types('stty size\n').shows('45 123');
  const bytes = Buffer.concat([Buffer.from(Array.from({ length: 256 }, (_, value) => value)), randomBytes(100_000)]);
  await page.types(`stty raw -echo; echo re''ady; head -c ${bytes.length} | md5sum; stty sane\n`).shows('ready');
  for (let at = 0; at < bytes.length; at += 10_000) page.socket.send(bytes.subarray(at, at + 10_000));
  await page.shows(createHash('md5').update(bytes).digest('hex'));
  page.types("printf '\\000\\377\\200end'\n");
  await eventually('bytes that are no text are shown', () => page.shown.includes(Buffer.from([0, 255, 128, 101])));
  page.types('exit 5\n');
  expect(await page.says('closed')).toMatchObject({ reason: 'exited', exit_code: 5 });
});

test('root in the container cannot move or replace the agent, and root is what a tenant is', async () => {
  const page = await openPage();
  const tries = [
    'mv /gantry /moved',
    'mv /gantry/bin /moved',
    'rm -f /gantry/bin/agent',
    'cp /bin/true /gantry/bin/agent',
    'mount --bind /tmp /gantry/bin',
    'umount /gantry',
    'mkdir /gantry/other',
  ];
  await page
    .types(
      `for try in ${tries.map((line) => `"${line}"`).join(' ')}; do $try && echo di''d: $try; done; echo tri''ed\n`,
    )
    .shows('tried');
  expect(page.shown.toString()).not.toContain('did:');
  page.types('exit\n');
  await page.says('closed');
  await (await openPage()).types("echo still he''re\n").shows('still here');
});

test('a ticket counts once, for pages of the console, and never for a stranger', async () => {
  const url = await ticket();
  expect(await refusal(url, 'https://evil.example')).toContain('403');
  const page = await openPage(url);
  expect(await refusal(url, 'http://localhost:8080')).toContain('401');
  page.socket.terminate();
  const foreign = await eve.client.call(TERMINAL_ROUTES.openTerminal, { params: { id: 'dev' } });
  expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
});

test('a logout ends a terminal within a second, and nothing of it runs on', async () => {
  const other = await ann.client.must(ACCOUNT_ROUTES.login, { body: { account: ann.name, password: ann.password } });
  const client = ann.client.with(other.token ?? '');
  const page = await openPage((await client.must(TERMINAL_ROUTES.openTerminal, { params: { id: 'dev' } })).url);
  const mark = await sleepsIn(page);
  await client.must(ACCOUNT_ROUTES.logout);
  expect(await page.says('closed')).toMatchObject({ reason: 'signedOut' });
  await isGone(mark);
});

test('when the browser dies nothing of the terminal is left on the node', async () => {
  const page = await openPage();
  const mark = await sleepsIn(page);
  page.socket.terminate();
  await isGone(mark);
});

test('a session outlives its page and its gateway, and is nobody else’s', async () => {
  const params = { id: 'dev' };
  const attached = async (session: string) =>
    openPage((await ann.client.must(TERMINAL_ROUTES.openTerminal, { params, body: { session } })).url);
  const one = await attached('new');
  const { session: id = '' } = (await one.says('connected')) as { session?: string };
  await one.types("mkfifo /tmp/go; echo re''ady; read x < /tmp/go; echo it is $((40+2)) $x\n").shows('ready');
  one.socket.terminate();
  gateway.kill();
  await gateway.exited();
  await gateway.restart();
  (await openPage()).types('echo on > /tmp/go\n');
  const two = await attached(id);
  await two.shows('it is 42 on');
  expect(two.shown.toString()).toContain('ready');
  const foreign = [
    eve.client.call(TERMINAL_ROUTES.listTerminalSessions, { params }),
    eve.client.call(TERMINAL_ROUTES.openTerminal, { params, body: { session: id } }),
    eve.client.call(TERMINAL_ROUTES.endTerminalSession, { params: { id: 'dev', session: id } }),
  ];
  expect((await Promise.all(foreign)).map(({ status }) => status)).toEqual([404, 404, 404]);
  const mark = await sleepsIn(two);
  const three = await attached(id);
  expect(await two.says('closed')).toMatchObject({ reason: 'moved' });
  await three.shows('started');
  expect(await ann.client.must(TERMINAL_ROUTES.listTerminalSessions, { params })).toMatchObject([
    { id, is_open: true },
  ]);
  await ann.client.must(TERMINAL_ROUTES.endTerminalSession, { params: { id: 'dev', session: id } });
  expect(await three.says('closed')).toMatchObject({ reason: 'exited' });
  await isGone(mark);
  expect(await ann.client.must(TERMINAL_ROUTES.listTerminalSessions, { params })).toEqual([]);
});

test("an instance's notebook is served on the tenants' domain to who came from the console", async () => {
  const body = { port: 'notebook' } as const;
  const { url } = await ann.client.must(TERMINAL_ROUTES.openInstanceWeb, { params: { id: 'dev' }, body });
  const link = new URL(url);
  expect(link.host).toBe(`8888-dev-${orgId}.${TENANTS}:${gateway.tenantPort}`);
  expect((await visit(link, '/hostname')).status).toBe(404);
  const entered = await visit(link, link.pathname + link.search);
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const page = await visit(link, '/hostname', { cookie });
  expect([page.status, page.text.trim()]).toEqual([200, 'dev']);
  expect((await visit(link, '/hostname', { cookie, origin: 'http://elsewhere.example' })).status).toBe(403);
  const api = await gateway.client.fetch(`/api${ACCOUNT_ROUTES.getMe.path}`, { headers: { cookie } });
  expect(api.status).toBe(401);
});

test('every object says in which region it is', async () => {
  const region = { 'gantry.dev/region': 'us-east' };
  expect(dev.now.metadata.labels).toMatchObject(region);
  expect(dev.pod().metadata.labels).toMatchObject(region);
  const jsonpath = 'jsonpath={.items[*].metadata.labels.gantry\\.dev/region}';
  const kinds = 'resourcequota,limitrange,networkpolicy,persistentvolumeclaim,service';
  const ours = ['--selector', 'gantry.dev/organization'];
  const worn = await stage().kubectl.must(['get', kinds, '--namespace', dev.namespace, ...ours, '-o', jsonpath]);
  const count = (
    await stage().kubectl.must(['get', kinds, '--namespace', dev.namespace, ...ours, '-o', 'name'])
  ).trim();
  expect(worn.trim().split(' ')).toEqual(count.split('\n').map(() => 'us-east'));
  const namespace = JSON.parse(await stage().kubectl.must(['get', 'namespace', dev.namespace, '-o', 'json']));
  expect(namespace.metadata.labels).toMatchObject(region);
});

test("a notebook's token reaches the container, is nobody else's, and gives way to another one", async () => {
  const at = { params: { id: 'dev' } };
  const shown = async () => (await ann.client.must(TERMINAL_ROUTES.showNotebookToken, at)).token;
  const inside = () => dev.sh('echo $JUPYTER_TOKEN');
  const first = await shown();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await inside()).toBe(first);
  const foreign = await eve.client.call(TERMINAL_ROUTES.showNotebookToken, at);
  expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
  expect(JSON.stringify([dev.now, dev.pod()])).not.toContain(first);

  await ann.client.must(KIND_ROUTES.gpuInstance.act, { ...at, body: { action: 'rotateNotebookToken' } });
  await dev.reaches('update');
  await dev.reaches('running');
  const second = await eventually('the gateway knows of the rotation', async () => {
    const token = await shown();
    return token === first ? undefined : token;
  });
  expect(await inside()).toBe(second);

  await dev.wish({ power: 'ShutDown' });
  await dev.reaches('shutDown');
  await eventually('it is dropped', async () => {
    const { status, body } = await ann.client.call(TERMINAL_ROUTES.showNotebookToken, at);
    expect([status, body.error]).toEqual([409, 'no_notebook_token']);
    return true;
  });
  const secret = ['get', 'secret', 'dev-notebook', '--namespace', dev.namespace, '-o', 'jsonpath={.data}'];
  await eventually('its Secret is empty', async () => ['', '{}'].includes(await stage().kubectl.must(secret)));

  await dev.wish({ power: 'Running' });
  await dev.reaches('running');
  const third = await eventually('there is another', async () => await shown());
  expect([first, second]).not.toContain(third);
  expect(await inside()).toBe(third);
});

test('files are listed, brought in pieces, fetched and removed, and nothing outside of the disk', async () => {
  const params = { id: 'data' };
  const { client } = ann;
  const empty = await eventually('the files are ready', async () => {
    const { status, body } = await client.call(FILE_ROUTES.listFiles, { params });
    if (status === 409) throw new Error(body.message);
    return { status, body };
  });
  expect(empty.status).toBe(200);
  expect(empty.body.paginated.extra).toMatchObject({ path: '/', total_bytes: expect.any(Number) });
  await client.must(FILE_ROUTES.makeFolder, { params, body: { path: '/folder' } });

  const content = randomBytes(300_000);
  const put = (first: number, last: number) =>
    client.fetch('/api/stor/v1/data-disk/data/filesystem/file?path=/folder/big&upload=upload-1', {
      method: 'PUT',
      headers: { 'content-range': `bytes ${first}-${last - 1}/${content.length}` },
      body: content.subarray(first, last),
    });
  expect(await (await put(0, 200_000)).json()).toMatchObject({ result: { complete: false, offset: 200_000 } });
  const query = { path: '/folder/big', upload: 'upload-1' };
  expect(await client.must(FILE_ROUTES.getUpload, { params, query })).toEqual({ offset: 200_000 });
  expect(await (await put(0, 1)).json()).toMatchObject({ error: 'upload_offset', args: { offset: 200_000 } });
  expect(await (await put(200_000, 300_000)).json()).toMatchObject({ result: { complete: true } });

  const file = await client.fetch('/api/stor/v1/data-disk/data/filesystem/file?path=/folder/big');
  expect(file.headers.get('content-disposition')).toContain('attachment');
  expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
  const outside = await client.call(FILE_ROUTES.downloadFile, { params, query: { path: '/folder/../../etc/passwd' } });
  expect([outside.status, outside.body.error, outside.body.field]).toEqual([400, 'file_path_rule', 'path']);
  const foreign = await eve.client.call(FILE_ROUTES.listFiles, { params });
  expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);

  await client.must(FILE_ROUTES.renameFile, { params, body: { path: '/folder/big', to: '/small' } });
  await client.must(FILE_ROUTES.removeFolder, { params, query: { path: '/folder' } });
  const [left] = await client.must(FILE_ROUTES.listFiles, { params, query: { sort: 'size', order: 'desc' } });
  expect(left).toMatchObject({ name: 'small', type: 'file', size_bytes: 300_000 });
});

test('the files of a disk that a running instance has to itself come through the instance', async () => {
  await dev.sh('head -c 300000 /dev/urandom > /mnt/held/small');
  const params = { id: 'held' };
  const { client } = ann;
  await eventually('the instance has the disk, and its files are there', async () => {
    // The first call asks for a file server, and the disk then says why there is none.
    const { status, body } = await client.call(FILE_ROUTES.listFiles, { params });
    if (status !== 200) throw new Error(body.message);
    expect(body.data).toMatchObject([{ name: 'small', size_bytes: 300_000 }]);
    const disk = await client.must(KIND_ROUTES.dataDisk.read, { params });
    expect(disk.conditions).toContainEqual(expect.objectContaining({ type: 'FilesAvailable', reason: 'FilesInUse' }));
    return true;
  });
  await client.must(FILE_ROUTES.makeFolder, { params, body: { path: '/runs' } });
  await client.must(FILE_ROUTES.copyFile, { params, body: { path: '/small', to: '/runs/copy' } });
  expect(await dev.sh('cmp /mnt/held/small /mnt/held/runs/copy && echo same')).toBe('same');
  const found = await client.must(FILE_ROUTES.searchFiles, { params, query: { text: 'COP' } });
  expect(found).toMatchObject({ items: [{ name: 'copy', folder: '/runs' }], complete: true });
  const content = randomBytes(3_000_000);
  const path = '/api/stor/v1/data-disk/held/filesystem';
  const put = await client.fetch(`${path}/file?path=/runs/large`, { method: 'PUT', body: content });
  expect(await put.json()).toMatchObject({ result: { complete: true } });
  const zip = Buffer.from(await (await client.fetch(`${path}/zip?path=/runs`)).arrayBuffer());
  expect(zip.subarray(0, 2).toString()).toBe('PK');
  expect(zip.includes(content)).toBe(true);
  const outside = await client.call(FILE_ROUTES.downloadFile, { params, query: { path: '/../../etc/passwd' } });
  expect([outside.status, outside.body.error]).toEqual([400, 'file_path_rule']);
  const foreign = await eve.client.call(FILE_ROUTES.searchFiles, { params, query: { text: 'a' } });
  expect([foreign.status, foreign.body.error]).toEqual([404, 'not_found']);
  // A caller who goes ends what it asked for, and the program ends with its connection.
  const gone = new AbortController();
  const half = await client.fetch(`${path}/zip?path=/`, { signal: gone.signal });
  await half.body?.getReader().read();
  gone.abort();
  const servers = "ps | grep -c '[d]isk-server --root' || true";
  await eventually('no server is left in the instance', async () => (await dev.sh(servers)) === '0');
});

test('a Pod that goes closes its terminals with a word', async () => {
  const page = await openPage();
  await dev.wish({ power: 'Stopped' });
  expect(await page.says('closed')).toMatchObject({ message: 'Connection closed (refresh to reconnect).' });
  await eventually('no other is opened', async () => {
    const { status, body } = await ann.client.call(TERMINAL_ROUTES.openTerminal, { params: { id: 'dev' } });
    expect([status, body.message]).toEqual([409, 'Container is not running.']);
    return true;
  });
});

test('when the gateway dies nothing of the terminal is left on the node', async () => {
  // Until then the phase is the one of before the stop.
  await dev.reaches('stopped');
  await dev.wish({ power: 'Running' });
  await dev.reaches('running');
  const page = await openPage();
  const mark = await sleepsIn(page);
  gateway.kill();
  await isGone(mark);
});

/** The gateway may hear of a phase later than the story does. */
const ticket = () =>
  eventually(
    'a terminal may be opened',
    async () => (await ann.client.must(TERMINAL_ROUTES.openTerminal, { params: { id: 'dev' } })).url,
  );

async function openPage(url?: string): Promise<Page> {
  const page = new Page(new WebSocket(addressOf(url ?? (await ticket())), { headers: { 'accept-language': 'en' } }));
  await page.says('connected');
  return page;
}

function addressOf(url: string): URL {
  const address = ann.client.url(url);
  address.protocol = 'ws:';
  return address;
}

async function refusal(url: string, origin: string): Promise<string> {
  const [error] = await once(new WebSocket(addressOf(url), { origin }), 'error');
  return (error as Error).message;
}

/** Two background processes, with a number that no other process uses. */
async function sleepsIn(page: Page): Promise<string> {
  const mark = `8${Date.now()}`;
  await page.types(`sleep ${mark} & echo st''arted; sleep ${mark}\n`).shows('started');
  await eventually('both sleep', async () => (await sleepersOf(mark)) === 2);
  return mark;
}

const isGone = (mark: string) =>
  eventually('nothing of the terminal is left', async () => (await sleepersOf(mark)) === 0);

/** The node's processes are this machine's. */
async function sleepersOf(mark: string): Promise<number> {
  const commands = await Promise.all(
    (await readdir('/proc'))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return commands.filter((command) => command.startsWith(`sleep\0${mark}`)).length;
}

function visit({ host }: URL, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port: gateway.tenantPort, path, headers: { host, ...headers } };
    const asked = request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** A browser's side of a terminal. */
class Page {
  readonly socket: WebSocket;
  readonly #chunks: Buffer[] = [];
  readonly #said: { status: string }[] = [];

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('error', ({ message }) => this.#said.push({ status: message }));
    socket.on('message', (message: Buffer, isBinary) => {
      if (isBinary) this.#chunks.push(message);
      else this.#said.push(JSON.parse(message.toString('utf8')));
    });
  }

  get shown(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  types(text: string): this {
    this.socket.send(Buffer.from(text));
    return this;
  }

  shows(text: string): Promise<true> {
    return eventually(`the terminal shows ${text}`, () => {
      if (!this.shown.includes(text)) throw new Error(JSON.stringify(this.shown.toString('utf8').slice(-500)));
      return true;
    });
  }

  says(status: string): Promise<object> {
    return eventually(`the terminal says ${status}`, () => {
      const found = this.#said.find((said) => said.status === status);
      if (!found) throw new Error(JSON.stringify(this.#said));
      return found;
    });
  }
}
