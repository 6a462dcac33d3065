// Demands on a body, whatever its model's engine is: engines differ in what they refuse, in which words, and in what they pass over in
// silence. Pure.
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Asked, Endpoint } from './asked.ts';
import { invalid, missing, Refusal, unsupportedParameter, unsupportedValue } from './refusals.ts';

type Json = Readonly<Record<string, unknown>>;
type Demand = (body: Json) => void;

const DEMANDS: Readonly<Record<Endpoint, Demand>> = {
  '/v1/chat/completions': (body) => {
    demandMessages(body.messages);
    demandTools(body);
  },
  '/v1/completions': (body) => {
    if (isNothing(body.prompt)) throw missing('prompt');
    if (!isNothing(body.suffix)) throw unsupportedParameter('suffix', 'Nothing is inserted before a suffix here.');
    const { best_of: best, n } = body;
    if (!isNothing(best) && best !== (n ?? 1))
      throw unsupportedParameter('best_of', 'best_of has to be n: all answers that are made are sent.');
  },
  '/v1/responses': () => {},
  '/v1/embeddings': (body) => {
    if (isNothing(body.input)) throw missing('input');
  },
  '/v1/rerank': demandRanking,
  '/v2/rerank': demandRanking,
};

/** Throws a Refusal for what this engine would not heed. */
export function demandEngine({ endpoint, body }: Pick<Asked, 'endpoint' | 'body'>, engine: Engine): void {
  if (engine === 'llama.cpp' && endpoint === '/v1/completions' && body.echo === true) demandEcho(body);
}

/** The prompt is put before the answer here: nobody can say how likely its tokens were. */
function demandEcho({ prompt, logprobs }: Json): void {
  if (!isNothing(logprobs))
    throw unsupportedParameter(
      'echo',
      'This model’s engine has no log probabilities of a prompt: leave out echo or logprobs.',
    );
  if ((Array.isArray(prompt) ? prompt : [prompt]).some((one) => typeof one !== 'string'))
    throw unsupportedParameter('echo', 'This model’s engine cannot echo tokens: send the prompt as a text.');
}

/** Throws a Refusal that names the field. */
export const demandBody = (endpoint: Endpoint, body: Json): void => DEMANDS[endpoint](body);

const RANKED: ReadonlySet<string> = new Set(['model', 'query', 'documents', 'top_n', 'return_documents', 'user']);

function demandRanking(body: Json): void {
  if (isNothing(body.query)) throw missing('query');
  if (typeof body.query !== 'string') throw typeError('query', 'a string');
  const { documents, top_n: most, return_documents: isSaid } = body;
  if (isNothing(documents)) throw missing('documents');
  if (!Array.isArray(documents) || documents.length === 0) throw typeError('documents', 'a list that is not empty');
  for (const [at, one] of documents.entries())
    if (typeof one !== 'string' && !(isObject(one) && typeof one.text === 'string'))
      throw typeError(`documents[${at}]`, 'a string, or an object with a text');
  if (!isNothing(most) && !(Number.isInteger(most) && (most as number) >= 1))
    throw invalid('top_n', 'top_n has to be a whole number from 1 on.');
  if (!isNothing(isSaid) && typeof isSaid !== 'boolean') throw typeError('return_documents', 'true or false');
  for (const [name, value] of Object.entries(body))
    if (!RANKED.has(name) && !isNothing(value))
      throw new Refusal('unknown_parameter', { param: name.slice(0, 100) }, { param: name.slice(0, 100) });
}

const ROLES: ReadonlySet<unknown> = new Set(['developer', 'system', 'user', 'assistant', 'tool', 'function']);
/** Types of parts, and the field that each one has. */
const PARTS: Readonly<Record<string, string>> = {
  text: 'text',
  refusal: 'refusal',
  image_url: 'image_url',
  input_audio: 'input_audio',
  audio_url: 'audio_url',
  video_url: 'video_url',
  file: 'file',
};

function demandMessages(messages: unknown): void {
  if (isNothing(messages)) throw missing('messages');
  if (!Array.isArray(messages)) throw typeError('messages', 'a list of messages');
  for (const [at, message] of messages.entries()) demandMessage(message, `messages[${at}]`);
}

function demandMessage(message: unknown, at: string): void {
  if (!isObject(message)) throw typeError(at, 'an object');
  const { role, content } = message;
  if (isNothing(role)) throw missing(`${at}.role`);
  if (!ROLES.has(role)) throw invalid(`${at}.role`, `${at}.role has to be one of ${[...ROLES].join(', ')}.`);
  if (isNothing(content)) {
    if (role !== 'assistant') throw missing(`${at}.content`);
    return;
  }
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw typeError(`${at}.content`, 'a string, or a list of parts');
  for (const [part, one] of content.entries()) demandPart(one, `${at}.content[${part}]`);
}

function demandPart(part: unknown, at: string): void {
  if (!isObject(part)) throw typeError(at, 'an object');
  const { type } = part;
  if (isNothing(type)) throw missing(`${at}.type`);
  const field = typeof type === 'string' && Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (field === undefined)
    throw unsupportedValue(`${at}.type`, `${at}.type has to be one of ${Object.keys(PARTS).join(', ')}.`);
  if (isNothing(part[field])) throw missing(`${at}.${field}`);
}

const CHOICES: ReadonlySet<unknown> = new Set(['none', 'auto', 'required']);

/** Hosted tools would be passed over, or would fail the engine; so would a choice of a tool that is not there. */
function demandTools({ tools, tool_choice: choice }: Json): void {
  const names = new Set<string>();
  if (!isNothing(tools)) {
    if (!Array.isArray(tools)) throw typeError('tools', 'a list of tools');
    for (const [at, tool] of tools.entries()) names.add(nameOf(tool, `tools[${at}]`));
  }
  if (isNothing(choice) || choice === 'none' || (choice === 'auto' && names.size === 0)) return;
  if (typeof choice === 'string' && !CHOICES.has(choice))
    throw invalid('tool_choice', 'tool_choice has to be none, auto, required or a function.');
  if (names.size === 0) throw invalid('tool_choice', 'tool_choice is only allowed with tools.');
  if (typeof choice === 'string') return;
  const name = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  if (!isObject(choice) || choice.type !== 'function')
    throw unsupportedValue('tool_choice', 'tool_choice has to be none, auto, required or a function.');
  if (typeof name !== 'string' || !names.has(name))
    throw invalid('tool_choice', 'tool_choice names a function that is not among the tools.');
}

function nameOf(tool: unknown, at: string): string {
  if (!isObject(tool)) throw typeError(at, 'an object');
  if (tool.type !== 'function')
    throw unsupportedValue(`${at}.type`, `${at}.type has to be function: there are no hosted tools.`);
  if (!isObject(tool.function)) throw missing(`${at}.function`);
  const { name } = tool.function;
  if (typeof name !== 'string' || name === '') throw missing(`${at}.function.name`);
  return name;
}

const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typeError = (param: string, wanted: string) =>
  new Refusal('invalid_type', { detail: `${param} has to be ${wanted}.` }, { param });
