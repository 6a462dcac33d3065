// `hack/api`: the gateway from a shell. Each run prints what an answer holds as JSON; a refused call is one line on standard
// error and exit code 1. The token comes from the environment and is written nowhere.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type FileOfFolder, filesOf, piecesOf } from './files-of.ts';
import { waitFor } from './wait-for.ts';

const LIMIT_MS = 300_000;
const EVERY_MS = 500;
/** As many as one call takes. */
const LISTED_AT_ONCE = 1000;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const USAGE = `usage: hack/api login ACCOUNT PASSWORD [NEW_PASSWORD]
       hack/api METHOD PATH [JSON] [--field NAME]
       hack/api wait PATH NAME=VALUE
       hack/api wait PATH gone
       hack/api upload MODEL VERSION FOLDER
       hack/api upload-data DATASET FOLDER
       hack/api top-up AMOUNT

  login   prints a token for $GANTRY_TOKEN; NEW_PASSWORD is for an account that must choose another one
  METHOD  ${METHODS.join(', ')}; PATH is below $GANTRY_API; --field prints one field of the answer alone
  wait    prints each new value of the field NAME until it is VALUE, or until the object is gone; ${LIMIT_MS / 1000} s at most;
          a.b is field b of field a
  upload  sends a version of a model: every file of the folder, below its path there
  upload-data  sends a version of a dataset, of which only files that are new to the organisation, and prints its number
  top-up  pays into the balance with a test card, at the card double of make up ($GANTRY_PAYMENTS), where no money moves
`;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function ask(method: string, path: string, json?: string, bytes?: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const { GANTRY_API, GANTRY_TOKEN } = process.env;
  if (!GANTRY_API) throw new Error('GANTRY_API is not set: run eval "$(make -s env)" first');
  const body = bytes ?? json;
  const answer = await fetch(`${GANTRY_API}${path}`, {
    method,
    headers: {
      ...(GANTRY_TOKEN && { 'x-token': GANTRY_TOKEN }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
/** `a.b` is field b of field a. */
const fieldAt = (value: unknown, path: string): unknown => path.split('.').reduce(fieldOf, value);

/** The result inside a success's envelope. Throws the problem of any other answer. */
function held({ status, body }: Answer): unknown {
  if (status < 300) return fieldOf(body, 'result') ?? fieldOf(body, 'data') ?? fieldOf(body, 'message') ?? body;
  throw new Error(`${status} ${fieldOf(body, 'error') ?? ''}: ${fieldOf(body, 'message') ?? body}`);
}

const print = (value: unknown) => console.log(typeof value === 'string' ? value : JSON.stringify(value, null, 2));

async function login(account: string, password: string, next?: string): Promise<void> {
  const attempt = async (typed: string) =>
    held(await ask('POST', '/auth/v1/login', JSON.stringify({ account, password: typed })));
  let answer = await attempt(password);
  if (fieldOf(answer, 'must_change_password') === true) {
    if (next === undefined) throw new Error(`${account} must choose a new password: add it to the command`);
    const ticket = fieldOf(answer, 'ticket');
    held(await ask('POST', '/auth/v1/password/reset', JSON.stringify({ ticket, password: next })));
    answer = await attempt(next);
  }
  const token = fieldOf(answer, 'token');
  if (typeof token !== 'string') throw new Error(`${account} has a second factor: log in with a browser`);
  print(token);
}

async function wait(path: string, wanted: string): Promise<void> {
  const [name = '', value] = wanted.split('=');
  let last: unknown;
  const answer = await waitFor(
    `${path} to be ${wanted}`,
    async () => {
      const seen = await ask('GET', path);
      if (seen.status >= 300) return seen;
      const found = fieldAt(held(seen), name);
      if (found !== last && found !== undefined) print(found);
      last = found;
      return String(found) === value && seen;
    },
    { limitMs: LIMIT_MS, everyMs: EVERY_MS },
  );
  if (answer.status !== 404 || wanted !== 'gone') held(answer);
}

/** As the card provider's form in a page: the gateway never sees the card. */
async function topUp(amount: string): Promise<void> {
  const { GANTRY_PAYMENTS } = process.env;
  if (!GANTRY_PAYMENTS) throw new Error('GANTRY_PAYMENTS is not set: run eval "$(make -s env)" first');
  const path = '/paybill/v1/wallet-balances-paydo';
  const id = fieldOf(held(await ask('POST', path, JSON.stringify({ amount, payment_channel: 'card' }))), 'id');
  const secret = await waitFor(
    'the form of the card',
    async () => fieldOf(fieldOf(held(await ask('GET', `${path}/${id}`)), 'next'), 'client_secret'),
    { limitMs: LIMIT_MS, everyMs: EVERY_MS },
  );
  const intent = `${secret}`.split('_secret_')[0];
  const { ok, status } = await fetch(`${GANTRY_PAYMENTS}/v1/payment_intents/${intent}/confirm`, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: `${secret}`, payment_method: 'pm_card_visa' }),
  });
  if (!ok) throw new Error(`the card provider answered ${status}`);
  await wait(`${path}/${id}`, 'status=paid');
}

/** Prints what of the version is on its way, file by file. */
async function upload(model: string, version: string, folder: string): Promise<void> {
  const files = await filesOf(folder);
  const path = `/model/v1/model/${model}/version`;
  const declared = files.map((file) => ({ path: file.path, size_bytes: file.bytes }));
  held(await ask('POST', path, JSON.stringify({ version, files: declared })));
  for (const file of files) {
    await sendFile(`${path}/${version}`, file);
    print(file.path);
  }
}

async function uploadData(dataset: string, folder: string): Promise<void> {
  const files = await filesOf(folder);
  const version = fieldOf(held(await ask('POST', `/data/v1/data/dataset/${dataset}/version`, '{}')), 'version');
  const path = `/data/v1/data/dataset/${dataset}/version/${version}`;
  for (let at = 0; at < files.length; at += LISTED_AT_ONCE) {
    const some = files.slice(at, at + LISTED_AT_ONCE);
    const listed = [];
    for (const file of some) listed.push({ path: file.path, size_bytes: file.bytes, sha256: await sha256Of(file) });
    const missing = fieldOf(held(await ask('POST', `${path}/file`, JSON.stringify({ files: listed }))), 'missing');
    for (const file of some) if ((missing as string[]).includes(file.path)) await sendFile(path, file);
  }
  held(await ask('POST', `${path}/complete`));
  print(version);
}

async function sendFile(path: string, file: FileOfFolder): Promise<void> {
  for await (const { offset, bytes } of piecesOf(file)) {
    const query = new URLSearchParams({ path: file.path, offset: `${offset}` });
    held(await ask('PUT', `${path}/upload?${query}`, undefined, bytes));
  }
}

async function sha256Of(file: FileOfFolder): Promise<string> {
  const hash = createHash('sha256');
  for await (const { bytes } of piecesOf(file)) hash.update(bytes);
  return hash.digest('hex');
}

async function run(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { field: { type: 'string' } } });
  const [verb = '', first, second, third] = positionals;
  if (verb === 'login' && first !== undefined && second !== undefined) return login(first, second, third);
  if (verb === 'wait' && first !== undefined && (second === 'gone' || second?.includes('=')))
    return wait(first, second);
  if (verb === 'top-up' && first !== undefined) return topUp(first);
  if (verb === 'upload' && first !== undefined && second !== undefined && third !== undefined)
    return upload(first, second, third);
  if (verb === 'upload-data' && first !== undefined && second !== undefined) return uploadData(first, second);
  if (!METHODS.includes(verb) || first === undefined) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  const answer = held(await ask(verb, first, second));
  print(values.field === undefined ? answer : fieldOf(answer, values.field));
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
