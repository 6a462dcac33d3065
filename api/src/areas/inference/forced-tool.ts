// Tools that a request demands to be called. llama.cpp passes over the name of a tool, and where one is required it lets a model say
// whatever it likes before: it is given the calls as a JSON schema, which it never leaves, and its answer is read as the call. Pure.
type Json = Readonly<Record<string, unknown>>;

interface Tool {
  name: string;
  schema: unknown;
}
/** Those of which one has to be called; undefined: none has to. */
export type Forced = readonly Tool[] | undefined;

/** The forced tools of a chat completion, whose tools are sound. */
export function forcedBy({ tools, tool_choice: choice }: Json): Forced {
  if (!Array.isArray(tools) || choice === undefined || choice === null || choice === 'auto' || choice === 'none')
    return undefined;
  const name = isObject(choice) && isObject(choice.function) ? choice.function.name : undefined;
  return tools
    .map(({ function: tool }: { function: { name: string; parameters?: unknown } }) => ({
      name: tool.name,
      schema: tool.parameters ?? { type: 'object' },
    }))
    .filter((tool) => name === undefined || tool.name === name);
}

/** The fields that llama.cpp is sent in place of the choice: the tools stay for its template to show. */
export function forcedFields(forced: readonly Tool[]): object {
  const [only] = forced;
  const schema =
    forced.length === 1
      ? only?.schema
      : {
          anyOf: forced.map(({ name, schema: args }) => ({
            type: 'object',
            properties: { name: { const: name }, arguments: args },
            required: ['name', 'arguments'],
            additionalProperties: false,
          })),
        };
  return { tool_choice: 'none', response_format: { type: 'json_schema', json_schema: { name: 'call', schema } } };
}

/** The text before the arguments, if one of several tools is called. */
const HEAD = /^\s*\{\s*"name"\s*:\s*("(?:[^"\\]|\\.)*")\s*,\s*"arguments"\s*:\s*/;
const MOST_HEAD_LETTERS = 4_096;

interface Call {
  /** The part of the answer that is not passed on yet. */
  rest: string;
  name: string | undefined;
  isTold: boolean;
}

export class ForcedCalls {
  readonly #forced: readonly Tool[];
  readonly #id: string;
  readonly #calls = new Map<number, Call>();

  /** `id`: of letters and digits. */
  constructor(forced: readonly Tool[], id: string) {
    this.#forced = forced;
    this.#id = id;
  }

  /** A piece of a stream, or a whole answer, with a call in place of what was said. */
  take(json: Json): Json {
    if (!Array.isArray(json.choices)) return json;
    return { ...json, choices: json.choices.map((one) => (isObject(one) ? this.#choice(one) : one)) };
  }

  #choice(choice: Json): Json {
    const isWhole = isObject(choice.message);
    const said = isWhole ? choice.message : choice.delta;
    if (!isObject(said)) return choice;
    const index = typeof choice.index === 'number' ? choice.index : 0;
    const call = this.#calls.get(index) ?? { rest: '', name: undefined, isTold: false };
    if (this.#calls.size < MOST_CHOICES) this.#calls.set(index, call);
    const { content, ...others } = said;
    if (typeof content === 'string') call.rest += content;
    const args = this.#args(call, isWhole || typeof choice.finish_reason === 'string');
    const isFirst = !call.isTold && call.name !== undefined;
    call.isTold ||= isFirst;
    const made = {
      ...(!isWhole && { index: 0 }),
      ...(isFirst && { id: `call_${this.#id}${index}`, type: 'function' }),
      function: { ...(isFirst && { name: call.name }), arguments: args },
    };
    return {
      ...choice,
      ...(choice.finish_reason === 'stop' && { finish_reason: 'tool_calls' }),
      [isWhole ? 'message' : 'delta']: {
        ...others,
        ...(content !== undefined && { content: null }),
        ...((isFirst || args !== '') && { tool_calls: [made] }),
      },
    };
  }

  /** The part of the arguments that can be passed on. */
  #args(call: Call, isLast: boolean): string {
    const [only] = this.#forced;
    if (this.#forced.length === 1) {
      if (call.rest !== '') call.name ??= only?.name;
      const args = call.rest;
      call.rest = '';
      return args;
    }
    if (call.name === undefined) {
      const head = HEAD.exec(call.rest.slice(0, MOST_HEAD_LETTERS));
      if (!head) return '';
      call.name = JSON.parse(head[1] ?? '""') as string;
      call.rest = call.rest.slice(head[0].length);
    }
    // The last brace is of the call, and not of its arguments.
    const end = isLast ? lastBrace(call.rest) : call.rest.length - tailOf(call.rest);
    const args = call.rest.slice(0, end);
    call.rest = isLast ? '' : call.rest.slice(end);
    return args;
  }
}

const MOST_CHOICES = 128;

function lastBrace(text: string): number {
  const trimmed = text.trimEnd();
  return (trimmed.endsWith('}') ? trimmed.slice(0, -1) : trimmed).trimEnd().length;
}

/** How many braces and blanks it ends with. */
function tailOf(text: string): number {
  let count = 0;
  while (count < text.length && '} \n\t\r'.includes(text[text.length - 1 - count] ?? '')) count++;
  return count;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
