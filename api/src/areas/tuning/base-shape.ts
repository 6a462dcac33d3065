// The shape of a base, from its config.json, which may hold anything. Pure.
import { assumedShape, type BaseShape } from '@gantry/contract/models/tune-memory.ts';

const MOST_COUNT = 2 ** 31;

/** `config` is parsed; undefined where there is none. Numbers of a model with pictures are in `text_config`. What is not said is assumed. */
export function baseShape(config: unknown, parameters: number): BaseShape {
  const whole = objectOf(config);
  const text = { ...whole, ...objectOf(whole.text_config) };
  const [layers, hidden, vocabulary] = [text.num_hidden_layers, text.hidden_size, text.vocab_size].map(countOf);
  if (layers === undefined || hidden === undefined || vocabulary === undefined) return assumedShape(parameters);
  const heads = countOf(text.num_attention_heads) ?? 1;
  const perHead = countOf(text.head_dim) ?? hidden / heads;
  const keyHeads = countOf(text.num_key_value_heads) ?? heads;
  return {
    ...{ layers, hidden, vocabulary },
    inner: countOf(text.intermediate_size) ?? 4 * hidden,
    keysAndValues: Math.round(2 * keyHeads * perHead),
    isTied: text.tie_word_embeddings === true,
    isAssumed: false,
  };
}

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= MOST_COUNT
    ? (value as number)
    : undefined;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
