// A hub of models and datasets, as Hugging Face's and its mirrors answer: which files a revision has, with their hashes, and their bytes from any
// place on. Its answers are not trusted: sizes, paths and lengths are checked, and the bytes are hashed afterwards.
import { problem } from '@gantry/contract/http/problem.ts';
import * as z from 'zod';
import { parseJson } from '../../../platform/json-size.ts';
import { type Source, SourceAway, type SourcePlan } from '../source.ts';
import { Taken, type Taking } from './taken.ts';

export interface HubAsked {
  /** What the hub has under this name: each has repositories of its own. */
  of: keyof typeof ADDRESSES;
  repository: string;
  revision: string;
  include: readonly string[];
  taking: Taking;
  token: string | undefined;
  signal: AbortSignal;
}

/** Where its repositories are described, and where their files are. */
const ADDRESSES = {
  models: { api: '/api/models/', files: '/' },
  datasets: { api: '/api/datasets/', files: '/datasets/' },
} as const;

const MOST_ANSWER_BYTES = 32 * 1024 * 1024;
const MOST_VALUES = 300_000;
const WORD = /^[^\p{Cc}\p{Cf}]{1,63}$/u;
const MOST_WORDS = 20;

const answer = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.object({
      rfilename: z.string().max(512),
      size: z.int().min(0).optional(),
      blobId: z.string().optional(),
      lfs: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().min(0) }).nullish(),
    }),
  ),
  cardData: z.object({ license: z.unknown(), language: z.unknown(), tags: z.unknown() }).partial().nullish(),
});

export class Hub {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url.replace(/\/+$/, '');
  }

  /** One of its repositories. Which commit its revision is stays as it was planned. */
  source(asked: HubAsked): Source {
    let { revision } = asked;
    return {
      plan: async () => {
        const plan = await this.plan(asked);
        revision = plan.revision;
        return plan;
      },
      bytes: ({ path, sourcePath }, from) => this.bytes({ ...asked, revision }, sourcePath ?? path, from),
    };
  }

  /** Files that match a pattern, or all; never empty ones, nor what its owner leaves out. */
  async plan(asked: HubAsked): Promise<SourcePlan> {
    const { of, repository, revision } = asked;
    const path = `${ADDRESSES[of].api}${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
    const response = await this.#ask(path, asked);
    const parsed = answer.safeParse(await jsonOf(response));
    if (!parsed.success) throw badAnswer(repository, 'it is no list of files');
    const { sha, siblings, cardData } = parsed.data;
    const taken = new Taken({ ...asked, source: 'hub', what: repository });
    for (const { rfilename, size, blobId, lfs } of siblings) {
      const isGit = !lfs && blobId !== undefined && /^[0-9a-f]{40}$/.test(blobId);
      taken.add({
        ...{ path: rfilename, sizeBytes: lfs?.size ?? size ?? 0 },
        ...{ wantedSha256: lfs?.sha256 ?? null, wantedGitSha1: isGit ? blobId : null },
      });
    }
    return {
      revision: sha,
      files: taken.all(),
      license: wordsOf(cardData?.license)[0] ?? null,
      language: wordsOf(cardData?.language),
      tags: wordsOf(cardData?.tags),
    };
  }

  /** The bytes of a file from a place on, as they come. */
  async *bytes(asked: HubAsked, path: string, from: number): AsyncGenerator<Uint8Array> {
    const { of, repository, revision } = asked;
    const address = `${ADDRESSES[of].files}${repository}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const response = await this.#ask(address, asked, from > 0 ? { Range: `bytes=${from}-` } : {});
    const begin = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '')?.[1];
    if (from > 0 && (response.status !== 206 || Number(begin) !== from))
      throw badAnswer(path, 'it does not go on where it was asked to');
    if (!response.body) throw badAnswer(path, 'it has no content');
    try {
      yield* response.body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw asked.signal.aborted ? error : new SourceAway('the connection broke off', { cause: error });
    }
  }

  /** `fetch` gives the token to no other host that it is led to. */
  async #ask(
    path: string,
    { repository, revision, token, signal }: HubAsked,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const response = await fetch(`${this.#url}${path}`, {
      headers: { ...headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      signal,
    }).catch((error: unknown) => {
      throw signal.aborted ? error : new SourceAway('it cannot be reached', { cause: error });
    });
    if (response.ok) return response;
    await response.body?.cancel();
    const code = response.headers.get('x-error-code');
    if (response.status >= 500 || response.status === 429 || response.status === 408)
      throw new SourceAway(`it answers ${response.status}`);
    if (code === 'GatedRepo' || response.status === 403) throw problem('model_hub_gated', { repository });
    if (response.status === 401 || response.status === 404)
      throw problem('model_hub_unknown', { repository, revision });
    throw badAnswer(repository, `it answers ${response.status}`);
  }
}

const badAnswer = (path: string, detail: string) => problem('model_hub_answer', { path, detail });

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > MOST_ANSWER_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new SourceAway('the connection broke off', { cause: error });
  }
  try {
    return parseJson(Buffer.concat(chunks).toString('utf8'), MOST_VALUES);
  } catch {
    return undefined;
  }
}

const wordsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((word): word is string => typeof word === 'string' && WORD.test(word) && word === word.trim())
    .slice(0, MOST_WORDS);
