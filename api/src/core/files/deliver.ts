// Brings the files of a list to a container that takes them in (agent/receive): it says what it lacks, and gets that.
import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { parseJson } from '../../platform/json-size.ts';
import type { StoredBlobs } from './stored-blobs.ts';

/** A file as the container that takes it in knows it; the order of the members is part of the list's digest. */
export interface ListedFile {
  path: string;
  sha256: string;
  bytes: number;
}

/** As it is sent, and as its digest is taken. */
export const listText = (list: readonly ListedFile[]): string =>
  JSON.stringify(list.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })));

/** How it is reached. */
export type Receiver = Pick<RequestOptions, 'host' | 'port' | 'agent'>;

interface Missing {
  hasList: boolean;
  /** It still looks at files that are there already, as a node that had them put them there. */
  checking?: boolean;
  files: readonly { path: string; have: number }[];
}

const ANSWERS_WITHIN_MS = 30_000;
/** No byte for so long: the Pod, or the store, has gone. */
const IDLE_MS = 60_000;
const CHECKS_AGAIN_MS = 1_000;
const MOST_ANSWER = 4 * 1024 * 1024;
/** An agent of our own: Node's would use the proxy for calls that leave the installation. */
const INSIDE = new Agent({ keepAlive: true });

/** Resolves once it has all of them. Throws where it cannot be reached, refuses something, or the store is away. */
export async function deliver(
  blobs: Pick<StoredBlobs, 'read'>,
  list: readonly ListedFile[],
  to: Receiver,
  signal: AbortSignal,
): Promise<void> {
  const files = await missingFrom(to, await ask(to, 'PUT', '/list', signal, listText(list)), signal);
  const byPath = new Map(list.map((file) => [file.path, file]));
  for (const { path, have } of files) {
    const file = byPath.get(path);
    if (!file) throw new Error(`it lacks ${path}, which is not in the list`);
    const range = { from: have, to: file.bytes - 1 };
    const query = new URLSearchParams({ path, offset: `${have}` });
    const body = file.bytes > have ? await blobs.read(file.sha256, range, signal) : '';
    await ask(to, 'PUT', `/file?${query}`, signal, body);
  }
}

/** `said`: to the list; an older receiver says nothing to that. */
async function missingFrom(to: Receiver, said: string, signal: AbortSignal): Promise<Missing['files']> {
  let answer = parseJson(said || (await ask(to, 'GET', '/missing', signal))) as Missing;
  while (answer.checking) {
    await setTimeout(CHECKS_AGAIN_MS, undefined, { signal });
    const next = await ask(to, 'GET', '/missing', signal).catch(() => undefined);
    // One that had all of them has ended; whatever else it is, its Pod is looked at again.
    if (next === undefined) return [];
    answer = parseJson(next) as Missing;
  }
  return answer.files;
}

async function ask(
  to: Receiver,
  method: string,
  path: string,
  signal: AbortSignal,
  body: Readable | string = '',
): Promise<string> {
  const call = request({ agent: INSIDE, ...to, method, path, signal, timeout: IDLE_MS });
  call.on('timeout', () => call.destroy(new Error('the receiver is silent')));
  const answered = answerOf(call);
  // Whoever fails first is heard; the other is not left alone.
  answered.catch(() => {});
  if (typeof body === 'string') call.end(body);
  else await pipeline(body, call).catch(async (error: unknown) => Promise.race([answered, Promise.reject(error)]));
  const answer = await answered;
  const said = await text(answer.setTimeout(ANSWERS_WITHIN_MS));
  if (answer.statusCode !== 200) throw new Error(`the receiver answers ${answer.statusCode}: ${said.slice(0, 300)}`);
  if (said.length > MOST_ANSWER) throw new Error('the receiver answers too much');
  return said;
}

const answerOf = (call: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
