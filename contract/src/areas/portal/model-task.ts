// What a model does, as its architecture and its tags tell it: nothing in its files says it outright.
import type { ModelTask } from '../../models/engines.ts';

/** The first that holds. */
const TELLS: readonly (readonly [ModelTask, RegExp])[] = [
  ['Rerank', /rerank|ForSequenceClassification$/i],
  [
    'Embed',
    /embed|sentence-similarity|feature-extraction|^(bert|xlm-?roberta|nomic-bert|jina-bert\S*|gte\w*)(model)?$/i,
  ],
  ['Generate', /text-generation|\bchat\b|instruct|For(CausalLM|ConditionalGeneration)$|LMHeadModel$/i],
  ['Generate', /^(llama|qwen|mistral|mixtral|gemma|phi|falcon|deepseek|glm|internlm|granite|gpt)[\w.-]*$/i],
];

/** Null where neither tells. Tags, which people write, precede the architecture. */
export function modelTask({
  structure,
  tags,
}: {
  structure: string | null;
  tags: readonly string[];
}): ModelTask | null {
  const said = [...tags, ...(structure === null ? [] : [structure])];
  return TELLS.find(([, pattern]) => said.some((text) => pattern.test(text)))?.[0] ?? null;
}
