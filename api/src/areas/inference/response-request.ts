// A request for a response, as the chat completion that makes it: every engine knows those, and no two of them the same part of the
// other. What cannot be put into a chat is refused by name. Pure.
import { invalid, missing, Refusal, unsupportedParameter, unsupportedValue } from './refusals.ts';

type Json = Readonly<Record<string, unknown>>;

interface Message {
  role: string;
  content: unknown;
  tool_calls?: object[];
  tool_call_id?: string;
  reasoning_content?: string;
}

/** The translation of a field. Throws a Refusal. */
type Field = (value: unknown, request: Json) => object;
const same =
  (name: string): Field =>
  (value) => ({ [name]: value });
/** It is said again in the answer, and changes nothing of it. */
const TOLD: Field = () => ({});
const refused =
  (detail: string): Field =>
  (_value) => {
    throw new Refusal('unsupported_parameter', { detail });
  };

const STORED = 'Responses are not stored: send the whole conversation as input.';

const FIELDS: Readonly<Record<string, Field>> = {
  model: TOLD,
  input: TOLD,
  instructions: TOLD,
  stream: same('stream'),
  stream_options: TOLD,
  tools: TOLD,
  tool_choice: TOLD,
  parallel_tool_calls: same('parallel_tool_calls'),
  max_output_tokens: same('max_tokens'),
  temperature: same('temperature'),
  top_p: same('top_p'),
  seed: same('seed'),
  text: textFormat,
  reasoning: reasoningOf,
  include: includes,
  top_logprobs: (value) => (value === 0 ? {} : { logprobs: true, top_logprobs: value }),
  truncation: oneOf('truncation', ['disabled']),
  service_tier: oneOf('service_tier', ['auto', 'default']),
  background: oneOf('background', [false]),
  store: oneOf('store', [false]),
  metadata: TOLD,
  user: TOLD,
  safety_identifier: TOLD,
  prompt_cache_key: TOLD,
  prompt_cache_retention: TOLD,
  previous_response_id: refused(STORED),
  conversation: refused(STORED),
  prompt: refused('Prompts are not stored here: send instructions and input.'),
  max_tool_calls: refused('It is about hosted tools, and there are none.'),
};

/** The body of a chat completion. Throws a Refusal that names the field of the request. */
export function chatOf(request: Json): Record<string, unknown> {
  let chat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(request)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (!field) throw new Refusal('unknown_parameter', { param: name.slice(0, 100) }, { param: name.slice(0, 100) });
    if (isNothing(value)) continue;
    try {
      chat = { ...chat, ...field(value, request) };
    } catch (error) {
      if (error instanceof Refusal && error.param === null) throw new Refusal(error.code, error.args, { param: name });
      throw error;
    }
  }
  return { ...chat, ...toolsOf(request), messages: messagesOf(request) };
}

function oneOf(name: string, known: readonly unknown[]): Field {
  return (value) => {
    if (!known.includes(value)) throw unsupportedValue(name, `${name} can only be ${known.join(' or ')}.`);
    return {};
  };
}

function textFormat(value: unknown): object {
  if (!isObject(value)) throw typeError('text', 'an object');
  const { format, verbosity, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknown(`text.${other}`);
  if (!isNothing(verbosity) && verbosity !== 'medium')
    throw unsupportedValue('text.verbosity', 'text.verbosity can only be medium.');
  if (isNothing(format)) return {};
  if (!isObject(format)) throw typeError('text.format', 'an object');
  const { type, name, schema, strict, description } = format;
  if (type === 'text') return {};
  if (type === 'json_object') return { response_format: { type } };
  if (type !== 'json_schema')
    throw unsupportedValue('text.format.type', 'text.format.type has to be text, json_object or json_schema.');
  if (typeof name !== 'string' || name === '') throw missing('text.format.name');
  if (!isObject(schema)) throw missing('text.format.schema');
  return { response_format: { type, json_schema: { name, schema, ...given({ strict, description }) } } };
}

function reasoningOf(value: unknown): object {
  if (!isObject(value)) throw typeError('reasoning', 'an object');
  const { effort, summary: _told, generate_summary: _old, ...others } = value;
  const [other] = Object.keys(others);
  if (other !== undefined) throw unknown(`reasoning.${other}`);
  return isNothing(effort) ? {} : { reasoning_effort: effort };
}

const LOGPROBS = 'message.output_text.logprobs';
function includes(value: unknown): object {
  if (!Array.isArray(value)) throw typeError('include', 'a list');
  for (const [at, one] of value.entries())
    if (one !== LOGPROBS) throw unsupportedValue(`include[${at}]`, `include[${at}] can only be ${LOGPROBS}.`);
  return value.length === 0 ? {} : { logprobs: true };
}

function toolsOf({ tools, tool_choice: choice }: Json): object {
  if (isNothing(tools) || (Array.isArray(tools) && tools.length === 0)) {
    if (isNothing(choice) || choice === 'none' || choice === 'auto') return {};
    throw invalid('tool_choice', 'tool_choice is only allowed with tools.');
  }
  if (!Array.isArray(tools)) throw typeError('tools', 'a list of tools');
  const all = tools.map((tool, at) => toolOf(tool, `tools[${at}]`));
  if (isNothing(choice)) return { tools: all };
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { tools: all, tool_choice: choice };
  if (!isObject(choice)) throw invalid('tool_choice', 'tool_choice has to be none, auto, required or a function.');
  if (choice.type === 'allowed_tools') return allowedOf(choice, all);
  if (choice.type !== 'function')
    throw unsupportedValue('tool_choice.type', 'tool_choice.type has to be function or allowed_tools.');
  return {
    tools: all,
    tool_choice: { type: 'function', function: { name: nameAmong(all, choice.name, 'tool_choice') } },
  };
}

type Tool = { type: 'function'; function: { name: string } };

function toolOf(tool: unknown, at: string): Tool {
  if (!isObject(tool)) throw typeError(at, 'an object');
  const { type, name, description, parameters, strict } = tool;
  if (type !== 'function')
    throw unsupportedValue(`${at}.type`, `${at}.type has to be function: there are no hosted tools.`);
  if (typeof name !== 'string' || name === '') throw missing(`${at}.name`);
  return { type, function: { name, ...given({ description, parameters, strict }) } };
}

function allowedOf({ mode, tools }: Json, all: readonly Tool[]): object {
  if (mode !== 'auto' && mode !== 'required')
    throw invalid('tool_choice.mode', 'tool_choice.mode has to be auto or required.');
  if (!Array.isArray(tools)) throw missing('tool_choice.tools');
  const names = new Set(
    tools.map((one, at) => nameAmong(all, isObject(one) ? one.name : undefined, `tool_choice.tools[${at}]`)),
  );
  return { tools: all.filter((tool) => names.has(tool.function.name)), tool_choice: mode };
}

function nameAmong(all: readonly Tool[], name: unknown, param: string): string {
  if (typeof name !== 'string' || !all.some((tool) => tool.function.name === name))
    throw invalid(param, `${param} names a function that is not among the tools.`);
  return name;
}

function messagesOf({ input, instructions }: Json): Message[] {
  const messages: Message[] = [];
  if (!isNothing(instructions)) {
    if (typeof instructions !== 'string') throw typeError('instructions', 'a string');
    messages.push({ role: 'system', content: instructions });
  }
  if (isNothing(input)) throw missing('input');
  if (typeof input === 'string') return [...messages, { role: 'user', content: input }];
  if (!Array.isArray(input)) throw typeError('input', 'a string, or a list of items');
  for (const [at, item] of input.entries()) {
    if (!isObject(item)) throw typeError(`input[${at}]`, 'an object');
    const type = item.type ?? 'message';
    const add = typeof type === 'string' && Object.hasOwn(ITEMS, type) ? ITEMS[type] : undefined;
    if (!add)
      throw unsupportedValue(
        `input[${at}].type`,
        `input[${at}].type has to be one of ${Object.keys(ITEMS).join(', ')}.`,
      );
    add(item, `input[${at}]`, messages);
  }
  return messages;
}

type Item = (item: Json, at: string, messages: Message[]) => void;
const ROLES: ReadonlySet<unknown> = new Set(['user', 'system', 'developer', 'assistant']);

const ITEMS: Readonly<Record<string, Item>> = {
  message: ({ role, content }, at, messages) => {
    if (isNothing(role)) throw missing(`${at}.role`);
    if (!ROLES.has(role)) throw invalid(`${at}.role`, `${at}.role has to be one of ${[...ROLES].join(', ')}.`);
    if (isNothing(content)) throw missing(`${at}.content`);
    const parts = contentOf(content, `${at}.content`, role === 'assistant');
    const last = messages.at(-1);
    // A model's reasoning comes before its text.
    if (role === 'assistant' && last?.role === 'assistant' && last.content === '' && !last.tool_calls)
      last.content = parts;
    else messages.push({ role: role === 'developer' ? 'system' : `${role as string}`, content: parts });
  },
  reasoning: ({ content }, at, messages) => {
    if (isNothing(content)) return;
    if (!Array.isArray(content)) throw typeError(`${at}.content`, 'a list of parts');
    const thought = content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
    if (thought !== '') messages.push({ role: 'assistant', content: '', reasoning_content: thought });
  },
  function_call: ({ call_id: id, name, arguments: args }, at, messages) => {
    if (typeof id !== 'string' || id === '') throw missing(`${at}.call_id`);
    if (typeof name !== 'string' || name === '') throw missing(`${at}.name`);
    if (typeof args !== 'string') throw missing(`${at}.arguments`);
    const call = { id, type: 'function', function: { name, arguments: args } };
    const last = messages.at(-1);
    if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call];
    else messages.push({ role: 'assistant', content: '', tool_calls: [call] });
  },
  function_call_output: ({ call_id: id, output }, at, messages) => {
    if (typeof id !== 'string' || id === '') throw missing(`${at}.call_id`);
    if (isNothing(output)) throw missing(`${at}.output`);
    messages.push({ role: 'tool', tool_call_id: id, content: contentOf(output, `${at}.output`, true) });
  },
};

/** `isText`: nothing but text may be in it; it becomes one string. */
function contentOf(content: unknown, at: string, isText: boolean): unknown {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw typeError(at, 'a string, or a list of parts');
  const parts = content.map((part, index) => partOf(part, `${at}[${index}]`));
  if (!isText && parts.some(({ type }) => type !== 'text')) return parts;
  return parts
    .map((part, index) => {
      if (part.type !== 'text') throw unsupportedValue(`${at}[${index}].type`, `${at}[${index}] has to be a text.`);
      return part.text;
    })
    .join('');
}

function partOf(part: unknown, at: string): Json {
  if (!isObject(part)) throw typeError(at, 'an object');
  const { type, text, refusal, image_url: url, detail, input_audio: audio } = part;
  switch (type) {
    case 'input_text':
    case 'output_text':
      if (typeof text !== 'string') throw missing(`${at}.text`);
      return { type: 'text', text };
    case 'refusal':
      if (typeof refusal !== 'string') throw missing(`${at}.refusal`);
      return { type: 'text', text: refusal };
    case 'input_image':
      if (!isNothing(part.file_id))
        throw unsupportedParameter(`${at}.file_id`, 'There are no stored files: send image_url.');
      if (typeof url !== 'string') throw missing(`${at}.image_url`);
      return { type: 'image_url', image_url: { url, ...given({ detail }) } };
    case 'input_audio':
      if (!isObject(audio)) throw missing(`${at}.input_audio`);
      return { type, input_audio: audio };
    default:
      throw unsupportedValue(
        `${at}.type`,
        `${at}.type has to be one of input_text, input_image, input_audio, output_text, refusal.`,
      );
  }
}

const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const given = (fields: Json): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));
const unknown = (param: string) => new Refusal('unknown_parameter', { param }, { param });
const typeError = (param: string, wanted: string) =>
  new Refusal('invalid_type', { detail: `${param} has to be ${wanted}.` }, { param });
