// The files of a disk: requests the disk's own server, waits for it, and talks to it as the calling member; or, while one instance
// alone may have the disk, to a server that is executed there. The server's refusals become problems.

import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { Readable } from 'node:stream';
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import { type Problem, problem } from '@gantry/contract/http/problem.ts';
import { identityOf } from '@gantry/contract/identity.ts';
import { type DataDisk, type DataDiskReason, dataDisk, MOST_FILES_HOURS } from '@gantry/contract/kinds/data-disk.ts';
import { FILES_SUFFIX } from '@gantry/contract/names.ts';
import { quoted, saidByCondition } from '@gantry/contract/said.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type * as z from 'zod';
import { parseJson } from '../../../platform/json-size.ts';
import { Agents, isAgentBusy } from '../../../platform/pods/agents.ts';
import { type PodName, PodUnreachable, type SocketSource } from '../../../platform/pods/pod-socket.ts';
import { podAgent, programAgent } from '../../../platform/pods/pod-stream.ts';
import { type Member, serviceAccountOf } from '../../../platform/pods/service-account.ts';
import { refusalOf } from './refusals.ts';

export interface DiskFilesParts {
  /** The API server as a user sees it. */
  as: (user: string) => SocketSource;
  findDisk: (namespace: string, id: string) => DataDisk | undefined;
  /** The running instance that has a disk to itself, and where it has it. */
  holderOf: (disk: DataDisk) => Holder | undefined;
  /** Writes the wish for a file server as this user. */
  wish: (user: string, disk: DataDisk, until: string) => Promise<void>;
  /** A secret of the platform's that belongs to this text. */
  keyed: (text: string) => string;
  clock: Clock;
  /** For how long a server in an instance may be silent; tests cannot wait that long. */
  silenceMs?: number;
}

export interface Holder {
  at: PodName;
  /** The path in its container. */
  root: string;
}

/** One call of the disk's server; agent/diskserver/README.md has them. */
export interface FileCall {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: '/dir' | '/file' | '/upload' | '/rename' | '/copy' | '/search' | '/zip' | '/usage';
  query: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: OutgoingHttpHeaders;
  body?: Readable;
  signal: AbortSignal;
}

const FILES_PORT = 8080;
/** The server stays so long after it was last asked for. */
const KEEP_MS = 60 * 60_000;
const RENEW_BELOW_MS = 30 * 60_000;
/** The operator refuses a later end. This is its limit less the difference that two clocks may have. */
const MOST_AHEAD_MS = MOST_FILES_HOURS * 60 * 60_000 - 60_000;
/** Within the limit of an ordinary call. */
const WAIT_MS = 12_000;
const LOOK_MS = 100;
const AGAIN_SECONDS = 2;
/** Agents to Pods that nobody asks any more go when there are more. */
const MOST_AGENTS = 256;
const MOST_ANSWER_BYTES = 4 << 20;
/** The most values in a folder's list; the program beside tenants' files is not trusted with depth either. */
const MOST_VALUES = 300_000;
/** All that agent/diskserver answers with. */
const SUCCESSES = [200, 201, 202, 204, 206, 304];
const LEAST_REFUSAL = 400;
const FORBIDDEN = 403;
const MOST_REFUSAL = 599;

/** The tenant may stop a server in an instance, or put another program in its place: it may be silent for so long. */
const MOST_SILENCE_MS = 90_000;
/** A copy, and the removal of a folder, say nothing until they are done. */
const MOST_WORK_MS = 60 * 60_000;

/** How a disk is reached: through an agent, and with a token where the server asks for one. */
interface Way {
  disk: DataDisk;
  agent: Agent;
  token?: string;
  /** For how long nothing may come. Absent: the server itself has limits. */
  silenceMs?: number;
}

export class DiskFiles {
  readonly #parts: DiskFilesParts;
  readonly #agents = new Agents(MOST_AGENTS, isAgentBusy);

  constructor(parts: DiskFilesParts) {
    this.#parts = parts;
  }

  /** Returns the answer once it is known to be a success. Throws the problem that it is otherwise. */
  async call(caller: Member, id: string, call: FileCall): Promise<IncomingMessage> {
    const answer = await this.#send(await this.#wayTo(caller, id, call), call);
    const status = answer.statusCode ?? 0;
    if (SUCCESSES.includes(status)) return answer;
    if (status >= LEAST_REFUSAL && status <= MOST_REFUSAL) throw refusalOf(status, await readText(answer));
    answer.destroy();
    throw badAnswer(new Error(`status ${status}`));
  }

  /** An answer without a body is undefined. */
  async json<T>(caller: Member, id: string, call: FileCall, shape: z.ZodType<T>): Promise<T> {
    const text = await readText(await this.call(caller, id, call));
    try {
      return shape.parse(text === '' ? undefined : parseJson(text, MOST_VALUES));
    } catch (error) {
      throw badAnswer(error);
    }
  }

  /** The bytes that the file system keeps for itself; its server counts them as used. */
  ownBytes(caller: Member, id: string): number {
    return this.#parts.findDisk(caller.organization.namespace, id)?.status?.usage?.ownBytes ?? 0;
  }

  stop(): void {
    this.#agents.stop();
  }

  async #wayTo(caller: Member, id: string, { method, signal }: FileCall): Promise<Way> {
    const disk = await this.#ready(caller, id, signal);
    if (isServed(disk)) {
      const token = this.#parts.keyed(`files/${identityOf(disk)}`);
      return { disk, agent: this.#agentOf(caller, disk), token };
    }
    const holder = conditionOf(disk)?.reason === 'FilesInUse' ? this.#parts.holderOf(disk) : undefined;
    if (!holder) throw whyNot(disk);
    const silenceMs = this.#parts.silenceMs ?? (method === 'GET' ? MOST_SILENCE_MS : MOST_WORK_MS);
    return { disk, agent: this.#agentIn(caller, disk, holder), silenceMs };
  }

  /** A disk whose server answers for a while yet, or one that has none for a reason that does not pass with time. */
  async #ready(caller: Member, id: string, signal: AbortSignal): Promise<DataDisk> {
    const { clock, wish } = this.#parts;
    const find = () => this.#parts.findDisk(caller.organization.namespace, id);
    let disk = find();
    if (!disk) throw problem('not_found', { what: id });
    const until = instantOf(disk.spec.files?.until);
    const aheadMs = until === undefined ? 0 : until - clock.now();
    if (aheadMs <= RENEW_BELOW_MS || aheadMs > MOST_AHEAD_MS) {
      const generation = disk.metadata.generation ?? 0;
      await wish(serviceAccountOf(caller), disk, new Date(clock.now() + KEEP_MS).toISOString());
      // The disk's conditions answer this request once they name it.
      disk = await this.#wait(find, signal, (seen) => (seen.status?.observedGeneration ?? 0) > generation);
    }
    if (isServed(disk)) return disk;
    return this.#wait(find, signal, (seen) => isServed(seen) || isHopeless(seen));
  }

  async #wait(
    find: () => DataDisk | undefined,
    signal: AbortSignal,
    is: (disk: DataDisk) => boolean,
  ): Promise<DataDisk> {
    const { clock } = this.#parts;
    for (const deadline = clock.monotonic() + WAIT_MS; clock.monotonic() < deadline; ) {
      signal.throwIfAborted();
      const disk = find();
      if (!disk) throw problem('not_found', { what: 'disk' });
      if (is(disk)) return disk;
      await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
    }
    throw problem('files_preparing', { seconds: AGAIN_SECONDS }, { retryAfterSeconds: AGAIN_SECONDS });
  }

  #send(
    { disk, agent, token, silenceMs }: Way,
    { method, path, query, headers, body, signal }: FileCall,
  ): Promise<IncomingMessage> {
    const asked = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    );
    const options = {
      method,
      path: `${path}?${new URLSearchParams(asked)}`,
      agent,
      signal,
      ...(silenceMs !== undefined && { timeout: silenceMs }),
      headers: { ...headers, host: 'files', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    };
    return new Promise((resolve, reject) => {
      const sent = request(options, resolve);
      // The connection broke, or the Pod is gone and the disk does not say so yet. An agent in an instance that started long ago
      // may not know files: then there is sftp.
      sent.on('error', (cause) => {
        if (cause instanceof PodUnreachable && cause.code === FORBIDDEN) return reject(problem('file_refused'));
        const isOld = token === undefined && cause instanceof PodUnreachable && cause.code === 0;
        reject(signal.aborted ? cause : isOld ? whyNot(disk) : badAnswer(cause));
      });
      if (silenceMs !== undefined) sent.on('timeout', () => sent.destroy(new Error('nothing came for too long')));
      sent.once('upgrade', (_answer, inside) => {
        inside.destroy();
        reject(badAnswer(new Error('a switch of protocols')));
      });
      if (body) body.pipe(sent);
      else sent.end();
    });
  }

  #agentIn(caller: Member, disk: DataDisk, { at, root }: Holder): Agent {
    const user = serviceAccountOf(caller);
    const command = ['/gantry/bin/agent', 'disk-server', '--root', root, '--pipe'];
    return this.#agents.of(JSON.stringify([user, disk.metadata.uid, at.pod, root]), () =>
      programAgent(this.#parts.as(user), at, command),
    );
  }

  #agentOf(caller: Member, disk: DataDisk): Agent {
    const { namespace = '', name, uid = '' } = disk.metadata;
    const user = serviceAccountOf(caller);
    const key = `${user} ${uid} ${disk.status?.files?.address}`;
    return this.#agents.of(key, () =>
      podAgent(this.#parts.as(user), { namespace, pod: `${name}${FILES_SUFFIX}` }, FILES_PORT),
    );
  }
}

const conditionOf = ({ status }: DataDisk) => status?.conditions?.find(({ type }) => type === 'FilesAvailable');
const isServed = (disk: DataDisk): boolean =>
  disk.status?.files !== undefined && conditionOf(disk)?.status === 'True' && !disk.metadata.deletionTimestamp;

/** Nothing that only takes time. */
function isHopeless(disk: DataDisk): boolean {
  const reason = conditionOf(disk)?.reason;
  const waits: (DataDiskReason | undefined)[] = [undefined, 'FilesStarting', 'FilesReady', 'Making'];
  return disk.metadata.deletionTimestamp !== undefined || !waits.includes(reason as DataDiskReason | undefined);
}

function whyNot(disk: DataDisk) {
  const { reason = '', message = '', ...condition } = conditionOf(disk) ?? {};
  const by = disk.status?.mountedBy?.map(({ name }) => name).join(', ');
  if (reason === 'FilesInUse') return problem('files_in_use', { by: by || message });
  return problem(
    'files_unavailable',
    quoted('detail', saidByCondition(dataDisk.kind, { ...condition, reason, message })),
  );
}

/** The server runs beside tenants' files, so its answers are checked; an invalid one counts as none. */
function badAnswer(cause: unknown): Problem {
  return problem('unavailable', { seconds: AGAIN_SECONDS }, { retryAfterSeconds: AGAIN_SECONDS, cause });
}

async function readText(answer: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length > MOST_ANSWER_BYTES) throw new Error("a disk's server said more than it ever should");
    }
  } catch (error) {
    throw badAnswer(error);
  }
  return text;
}
