// Row B2: terminals that show 40 KB a second each, through one gateway, beside the same through the API server's own exec, which
// is what kubectl opens. One more terminal only echoes: what a key takes while all the others are busy.
import { readFile } from 'node:fs/promises';
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import WebSocket from 'ws';
import { gatewayFlags } from '../../hack/gateway.ts';
import { clientOf } from '../scale/fleet.ts';
import { quotasCounted } from '../scale/tenant.ts';
import { eventually } from '../support/eventually.ts';
import { GatewayProcess } from '../support/gateway.ts';
import { openMailbox } from '../support/mail-sink.ts';
import { type Person, signUp } from '../support/sign-up.ts';
import type { Pair } from './measure.ts';
import { type Stage, sized } from './stage.ts';
import { percentile } from './statistics.ts';

const TERMINALS = sized(200);
/** A person has 64 at most. */
const EACH = 50;
const PAIRS = 2;
const SECONDS = 10;
const BYTES_PER_SECOND = 40_000;
const KEY_MS = 100;
const MINUTE = 60_000;

export interface TerminalFigures {
  /** The share of the expected bytes that arrived in the peer's time. */
  readonly rate: readonly Pair[];
  readonly lostBytes: number;
  readonly echoMs: readonly Pair[];
  /** The gateway's CPU, per MB that it carried. */
  readonly cpuMsPerMb: readonly number[];
}

interface Shell {
  type(text: string): void;
  onShown(take: (bytes: Buffer) => void): void;
  close(): void;
}
type Open = (terminal: number) => Promise<Shell>;

export async function webTerminals(stage: Stage): Promise<TerminalFigures> {
  const mailbox = await openMailbox();
  const operator = await stage.operator();
  const flags = [...(await gatewayFlags(stage.place)), `--smtp-url=${mailbox.url}`, '--requests-per-minute=1000000'];
  const gateway = await GatewayProcess.start(stage, { flags });
  try {
    const people: Person[] = [];
    for (let one = 0; one * EACH < TERMINALS; one++) {
      people.push(await signUp(gateway.client, mailbox, `bench_terminal_${one}`));
    }
    const namespaces = await Promise.all(people.map((person) => hasInstance(stage, person)));
    const of = (terminal: number) => Math.floor(terminal / EACH) % people.length;
    const ours: Open = (terminal) => throughGateway(people[of(terminal)] as Person);
    const peer: Open = (terminal) => throughApiServer(stage, namespaces[of(terminal)] ?? '');
    return await played(gateway, { ours, peer });
  } finally {
    await gateway.close();
    await operator.close();
    await mailbox.close();
  }
}

async function played(gateway: GatewayProcess, open: { ours: Open; peer: Open }): Promise<TerminalFigures> {
  const rate: Pair[] = [];
  const echoMs: Pair[] = [];
  const cpuMsPerMb: number[] = [];
  let lostBytes = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const run = async (who: 'ours' | 'peer') => {
      const before = await cpuMsOf(gateway.pid() ?? 0);
      const seen = await loaded(open[who]);
      if (who === 'ours') {
        lostBytes += seen.lostBytes;
        cpuMsPerMb.push(((await cpuMsOf(gateway.pid() ?? 0)) - before) / (seen.bytes / 1e6));
      }
      return seen;
    };
    const [first, second] = pair % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const);
    const seen = { [first]: await run(first), [second]: await run(second) } as Record<'ours' | 'peer', Seen>;
    rate.push({ ours: seen.ours.bytesPerSecond, peer: seen.peer.bytesPerSecond });
    echoMs.push({ ours: percentile(seen.ours.echoMs, 0.99), peer: percentile(seen.peer.echoMs, 0.99) });
  }
  return { rate, lostBytes, echoMs, cpuMsPerMb };
}

interface Seen {
  bytes: number;
  lostBytes: number;
  /** Per terminal, on average. */
  bytesPerSecond: number;
  echoMs: number[];
}

const X = 120;
const LINE = `stty -echo; head -c ${BYTES_PER_SECOND} /dev/zero | tr '\\000' x > /root/load-$$; echo re''ady; read go; i=0; while [ $i -lt ${SECONDS} ]; do cat /root/load-$$; sleep 1; i=$((i+1)); done; echo en''d\n`;

async function loaded(open: Open): Promise<Seen> {
  const shells = await Promise.all(
    Array.from({ length: TERMINALS }, async (_, terminal) => {
      const shell = await open(terminal);
      const ready = shows(shell, 'ready');
      shell.type(LINE);
      await ready;
      return shell;
    }),
  );
  const key = await open(0);
  const echoes = shows(key, 'echoes');
  key.type("stty raw -echo; echo echo''es; exec cat\n");
  await echoes;
  const ended = shells.map((shell) => counted(shell));
  const echoMs: number[] = [];
  const keys = new AbortController();
  const typing = typed(key, echoMs, keys.signal);
  for (const shell of shells) shell.type('\n');
  const seen = await Promise.all(ended);
  keys.abort();
  await typing;
  for (const shell of [...shells, key]) shell.close();
  const bytes = seen.reduce((sum, one) => sum + one.bytes, 0);
  return {
    bytes,
    lostBytes: TERMINALS * SECONDS * BYTES_PER_SECOND - bytes,
    bytesPerSecond: seen.reduce((sum, one) => sum + one.bytes / one.seconds, 0) / seen.length,
    echoMs,
  };
}

function shows(shell: Shell, text: string): Promise<void> {
  let shown = '';
  return new Promise((resolve) => {
    shell.onShown((bytes) => {
      shown = (shown + bytes.toString('latin1')).slice(-4096);
      if (shown.includes(`${text}\r\n`) || shown.includes(`${text}\n`)) resolve();
    });
  });
}

/** From its first byte to its last word. */
function counted(shell: Shell): Promise<{ bytes: number; seconds: number }> {
  let bytes = 0;
  let began: number | undefined;
  let tail = '';
  return new Promise((resolve) => {
    shell.onShown((shown) => {
      began ??= performance.now();
      for (const byte of shown) if (byte === X) bytes++;
      tail = (tail + shown.subarray(-64).toString('latin1')).slice(-64);
      if (tail.includes('end')) resolve({ bytes, seconds: (performance.now() - began) / 1000 });
    });
  });
}

async function typed(shell: Shell, echoMs: number[], signal: AbortSignal): Promise<void> {
  let at = 0;
  let next: (() => void) | undefined;
  shell.onShown(() => {
    echoMs.push(performance.now() - at);
    next?.();
  });
  while (!signal.aborted) {
    at = performance.now();
    const echoed = new Promise<void>((resolve) => {
      next = resolve;
    });
    shell.type('k');
    await echoed;
    await new Promise((resolve) => setTimeout(resolve, KEY_MS));
  }
}

async function throughGateway({ client }: Person): Promise<Shell> {
  const { url } = await client.must(TERMINAL_ROUTES.openTerminal, { params: { id: 'dev' } });
  const address = client.url(url);
  address.protocol = 'ws:';
  const socket = new WebSocket(address);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (message: Buffer, isBinary) => {
      if (!isBinary && message.includes('"connected"')) resolve();
    });
  });
  return {
    type: (text) => socket.send(Buffer.from(text)),
    onShown(take) {
      socket.removeAllListeners('message');
      socket.on('message', (message: Buffer, isBinary) => isBinary && take(message));
    },
    close: () => socket.terminate(),
  };
}

async function throughApiServer(stage: Stage, namespace: string): Promise<Shell> {
  const asked = new URLSearchParams('container=main&stdin=true&stdout=true&tty=true&command=sh');
  const path = `/api/v1/namespaces/${namespace}/pods/dev-1/exec?${asked}`;
  const { url, headers, agent } = await clientOf(stage.kubeconfig).socketTarget(path);
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { headers, agent, perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', resolve);
  });
  return {
    type: (text) => socket.send(Buffer.concat([Buffer.of(0), Buffer.from(text)])),
    onShown(take) {
      socket.removeAllListeners('message');
      socket.on('message', (message: Buffer) => message[0] === 1 && message.length > 1 && take(message.subarray(1)));
    },
    close() {
      // Nobody hangs up what the runtime executed.
      socket.send(Buffer.concat([Buffer.of(0), Buffer.from('\x04exit\n')]));
      socket.close();
    },
  };
}

/** Creates a small running instance; returns the namespace. */
async function hasInstance({ kubectl }: Stage, person: Person): Promise<string> {
  const { namespace } = await person.organizationReady();
  await quotasCounted(kubectl, namespace);
  await kubectl.must(['create', '-f', '-'], {
    apiVersion: API_VERSION,
    kind: gpuInstance.kind,
    metadata: { namespace, name: 'dev' },
    spec: {
      image: 'registry.gantry.internal/official/busybox:1.36',
      // Four of them have to fit on the machine.
      cores: 0.3,
      memoryGi: 0.5,
      homeDisk: { sizeGi: 1 },
    },
  });
  await eventually(
    'the instance runs',
    async () => (await person.client.must(KIND_ROUTES.gpuInstance.read, { params: { id: 'dev' } })).phase === 'running',
    2 * MINUTE,
  );
  return namespace;
}

const MS_PER_TICK = 10;

/** User and system, as the kernel counts them. */
async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}
