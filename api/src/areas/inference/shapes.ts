// An engine's answer in the shape that the client of each endpoint reads, whichever engine it was. What is in it is hostile. Pure.
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Asked, Endpoint } from './asked.ts';
import { CompletionAnswer } from './completion-answer.ts';
import { ForcedCalls } from './forced-tool.ts';
import { RankedAnswer } from './ranked-answer.ts';
import { type Refusal, unsupportedValue } from './refusals.ts';
import { ResponseAnswer } from './response-answer.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Shape {
  /**
   * The text that the client gets of a piece of a stream; undefined: nothing. `event` is the same as it came; undefined: it came otherwise.
   */
  piece(json: Json, event: string | undefined): string | undefined;
  /** The text that it gets when the stream has ended as it should. `event`: the engine's last one. */
  end(event: string): string;
  /** Throws a Refusal where it is not what was asked for. */
  whole(json: Json): object;
  /** An error in the midst of a stream. */
  error(refusal: Refusal): string;
}

export interface ShapeFacts {
  engine: Engine;
  requestId: string;
  /** In milliseconds. */
  now: number;
}

export function shapeOf(asked: Asked, facts: ShapeFacts): Shape {
  const shape = SHAPES[asked.endpoint](asked, facts);
  const { forced } = asked;
  if (!forced) return shape;
  return facts.engine === 'llama.cpp'
    ? withCalls(shape, new ForcedCalls(forced, idOf(facts.requestId)))
    : demandingCall(shape);
}

const SHAPES: Readonly<Record<Endpoint, (asked: Asked, facts: ShapeFacts) => Shape>> = {
  '/v1/chat/completions': (asked) => chunks(asked, (json) => json),
  '/v1/completions': (asked, { engine, requestId }) => {
    const answer = new CompletionAnswer(asked, engine, requestId);
    return chunks(asked, (json) => answer.take(json));
  },
  '/v1/responses': responses,
  '/v1/embeddings': (asked) => chunks(asked, (json) => json),
  '/v1/rerank': ranked,
  '/v2/rerank': ranked,
};

/** Each piece by itself. */
function chunks({ model, wantsUsage }: Asked, shaped: (json: Json) => Json): Shape {
  const named = (json: Json): Json => (json.model === undefined || json.model === model ? json : { ...json, model });
  return {
    piece(json, event) {
      const isHidden = !wantsUsage && typeof json.usage === 'object' && json.usage !== null;
      // A client that has not asked for usage may not know an event without choices.
      if (isHidden && Array.isArray(json.choices) && json.choices.length === 0) return undefined;
      const told = named(shaped(isHidden ? { ...json, usage: undefined } : json));
      return told === json && event !== undefined ? event : `data: ${JSON.stringify(told)}\n\n`;
    },
    end: (event) => event,
    whole: (json) => named(shaped(json)),
    error: (refusal) => `data: ${refusal.body}\n\n`,
  };
}

function responses({ body }: Asked, { requestId, now }: ShapeFacts): Shape {
  const answer = new ResponseAnswer({ id: idOf(requestId), createdAt: Math.floor(now / 1000), request: body });
  return {
    piece: (json) => answer.piece(json),
    end: () => answer.end(),
    whole: (json) => answer.whole(json),
    error: ({ message, code, param }) => answer.error({ message, code, param }),
  };
}

function ranked(asked: Asked, { engine, requestId }: ShapeFacts): Shape {
  const answer = new RankedAnswer(asked, engine, idOf(requestId));
  return {
    piece: () => undefined,
    end: () => '',
    whole: (json) => answer.whole(json),
    error: (refusal) => refusal.body,
  };
}

function withCalls(shape: Shape, calls: ForcedCalls): Shape {
  return {
    ...shape,
    piece: (json) => {
      const told = calls.take(json);
      return shape.piece(told, undefined);
    },
    whole: (json) => shape.whole(calls.take(json)),
  };
}

/** An engine that was started without a parser of calls lets a model say what it likes. An answer that was cut may lack one. */
function demandingCall(shape: Shape): Shape {
  let isFine = false;
  const look = ({ choices }: Json) => {
    for (const choice of (Array.isArray(choices) ? choices : []) as readonly (ToldChoice | null)[]) {
      const { tool_calls: calls } = choice?.delta ?? choice?.message ?? {};
      isFine ||= (Array.isArray(calls) && calls.length > 0) || choice?.finish_reason === 'length';
    }
  };
  const refusal = () =>
    unsupportedValue('tool_choice', 'This model’s engine did not call a tool, as tool_choice demands.');
  return {
    ...shape,
    piece(json, event) {
      look(json);
      return shape.piece(json, event);
    },
    end: (event) => (isFine ? shape.end(event) : shape.error(refusal())),
    whole(json) {
      look(json);
      if (!isFine) throw refusal();
      return shape.whole(json);
    },
  };
}
interface ToldChoice {
  delta?: { tool_calls?: unknown } | null;
  message?: { tool_calls?: unknown } | null;
  finish_reason?: unknown;
}

/** Letters and digits. */
const idOf = (requestId: string): string => requestId.replace(/^req-|-/g, '');
