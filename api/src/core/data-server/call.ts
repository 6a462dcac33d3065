// One call of a data server: what goes wrong is one of three: the connection broke, the server refuses, or it answers what no data server
// does.
import type { IncomingMessage } from 'node:http';
import { type Aside, taskIn } from '../../platform/aside/aside.ts';
import { BadAnswer, type Call, readWhole, send, type Way } from '../../platform/pods/call-pod.ts';
import { readAside } from '../../platform/pods/read-aside.ts';
import type { Answer, AnswerName, Refusal, readAnswer } from './server-answers.ts';

/** The server's own word, with a code that may be unknown. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: string;
  /** Numbers by their names: `bytes` is what is there of a file, where the code is about that. */
  readonly values: Refusal['values'];

  constructor({ code, sentence, values }: Refusal) {
    super(sentence);
    this.code = code;
    this.values = values;
  }
}

const MOST_REFUSAL_BYTES = 64 * 1024;
const OK = 200;
const LEAST_REFUSAL = 400;
const MOST_REFUSAL = 599;
const UNAVAILABLE = 503;

const READ_ANSWER = taskIn<typeof readAnswer>(new URL('server-answers.ts', import.meta.url), 'readAnswer');
/** Connections beyond its own bound get 503 and an empty body. */
const TOO_MANY: Refusal = { code: 'Busy', sentence: 'The data server has too many connections.', values: {} };

/** Resolves with an answer of status 200, whose body is still to come. */
export async function begin(way: Way, call: Call, aside: Aside): Promise<IncomingMessage> {
  const answer = await send(way, call);
  const status = answer.statusCode ?? 0;
  if (status === OK) return answer;
  if (status < LEAST_REFUSAL || status > MOST_REFUSAL) {
    answer.destroy();
    throw new BadAnswer(`it answers with the status ${status}`);
  }
  const bytes = await readWhole(answer, MOST_REFUSAL_BYTES);
  if (bytes.length === 0 && status === UNAVAILABLE) throw new Refused(TOO_MANY);
  const { problem } = await checked(way, bytes, 'refusal', aside);
  throw new Refused(problem);
}

/** The answer as JSON of that shape. */
export async function ask<Name extends AnswerName>(
  way: Way,
  call: Call,
  { shape, mostBytes }: { shape: Name; mostBytes: number },
  aside: Aside,
): Promise<Answer<Name>> {
  return checked(way, await readWhole(await begin(way, call, aside), mostBytes), shape, aside);
}

/** Parsed and checked on a thread: how large it is, whoever answers chooses. */
export async function checked<Name extends AnswerName>(
  { id }: Way,
  bytes: Uint8Array<ArrayBuffer>,
  shape: Name,
  aside: Aside,
): Promise<Answer<Name>> {
  return (await readAside(aside, READ_ANSWER, { bytes, shape, lane: id })) as Answer<Name>;
}
