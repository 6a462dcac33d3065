// Asks /v1 for passages of a knowledge base. The same that any program does.
import type { KnowledgeAnswer, KnowledgePassage } from '@gantry/contract/areas/inference/model-calls.ts';

export interface Wish {
  dataset: string;
  /** Absent: its newest one that is a base. */
  version?: number;
  query: string;
  k: number;
  by?: 'both' | 'vectors' | 'words';
}

/** `by`: what was really searched by. `message`: in the gateway's words; null: nobody answered. */
export type Found = { passages: readonly KnowledgePassage[]; by: KnowledgeAnswer['by'] } | { message: string | null };

interface Asking {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** The base is on its way to the data server. */
  waits(): void;
}

const AGAIN_MS = 3_000;
const MOST_TRIES = 40;

/** Asks again while the base is on its way. Rejects once it is told to stop. */
export async function searchKnowledge({ dataset, ...wish }: Wish, { headers, signal, waits }: Asking): Promise<Found> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(`/v1/knowledge/${dataset}/search`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(wish),
      signal,
    }).catch(() => undefined);
    signal.throwIfAborted();
    const answer: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && answer !== undefined) {
      const { data: passages, by } = answer as KnowledgeAnswer;
      return { passages, by };
    }
    const { message, code } = (answer as { error?: { message?: unknown; code?: unknown } } | undefined)?.error ?? {};
    if (code !== 'knowledge_preparing' || tries >= MOST_TRIES)
      return { message: typeof message === 'string' ? message : null };
    waits();
    await pause(AGAIN_MS, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
