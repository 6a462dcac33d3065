// Which chat template a version brings: text is tokenised alike only where trainer, evaluator and engine render with the same one.
import { createHash } from 'node:crypto';

/** SHA-256, in hex; null for a model without one. A file of its own counts before the field of the tokenizer's settings, as in transformers. */
export function templateHash(file: string | undefined, settings: unknown): string | null {
  const { chat_template: field } = (settings ?? {}) as { chat_template?: unknown };
  // Several, by their names: the default one is used where nobody asks for another.
  const named = Array.isArray(field) ? (field as { name?: unknown; template?: unknown }[]) : [];
  const text = file ?? (typeof field === 'string' ? field : named.find((one) => one?.name === 'default')?.template);
  return typeof text === 'string' ? createHash('sha256').update(text).digest('hex') : null;
}
