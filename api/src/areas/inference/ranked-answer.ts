// A ranking as Cohere's clients read it, and those of Jina and vLLM, which agree with it: the best first, likelihoods from 0 to 1, and
// the documents where they are asked for. llama.cpp says logits. Pure.
import type { Engine } from '@gantry/contract/models/engines.ts';
import type { Asked } from './asked.ts';

type Json = Readonly<Record<string, unknown>>;

/** The likelihood that a document is relevant, from an engine's score. */
const LIKELIHOOD: Readonly<Record<Engine, (score: number) => number>> = {
  'llama.cpp': (logit) => 1 / (1 + Math.exp(-logit)),
  vllm: (likelihood) => Math.min(1, Math.max(0, likelihood)),
  sglang: (likelihood) => Math.min(1, Math.max(0, likelihood)),
};

export class RankedAnswer {
  readonly #asked: Asked;
  readonly #engine: Engine;
  readonly #id: string;

  constructor(asked: Asked, engine: Engine, id: string) {
    this.#asked = asked;
    this.#engine = engine;
    this.#id = id;
  }

  whole(json: Json): object {
    const { body, endpoint, model } = this.#asked;
    const documents = textsOf(body.documents);
    const isSaid = body.return_documents === true;
    const most = typeof body.top_n === 'number' ? body.top_n : documents.length;
    const seen = new Set<number>();
    const results = (Array.isArray(json.results) ? json.results : [])
      .filter(isObject)
      .flatMap(({ index, relevance_score: score }) => {
        if (typeof index !== 'number' || typeof score !== 'number' || seen.has(index)) return [];
        const text = documents[index];
        if (text === undefined) return [];
        seen.add(index);
        const likelihood = LIKELIHOOD[this.#engine](score);
        return [{ index, relevance_score: likelihood, ...(isSaid && { document: { text } }) }];
      })
      .sort((one, other) => other.relevance_score - one.relevance_score)
      .slice(0, most);
    return {
      id: this.#id,
      object: 'list',
      model,
      results,
      usage: json.usage,
      meta: { api_version: { version: endpoint === '/v2/rerank' ? '2' : '1' }, billed_units: { search_units: 1 } },
    };
  }
}

/** A document is a text, or an object with one. */
export const textsOf = (documents: unknown): string[] =>
  (Array.isArray(documents) ? documents : []).map((one) =>
    isObject(one) ? `${one.text as string}` : `${one as string}`,
  );

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
