// Which worker has lately read which beginnings of prompts: a request that goes on from one of them finds its work done there.
// Among workers with about as much to do, the one that knows most of a beginning takes it.
import { hash } from 'node:crypto';
import type { Replica } from '../../platform/relay/upstream.ts';

const LETTERS_OF_A_BLOCK = 512;
const MOST_BLOCKS = 16;
/** The most blocks known of all workers of one model; the oldest go first. */
const MOST_KNOWN = 20_000;
/** A worker may have so many more under way than the one with the least, and still be chosen for what it knows. */
const MOST_AHEAD = 8;

export class Beginnings {
  /** By hash: the workers that know it. */
  readonly #known = new Map<string, Set<string>>();
  #turn = 0;
  #pods = '';

  /** Undefined where none of them can be reached. */
  pick(beginning: string, workers: readonly Replica[], now: number, not: ReadonlySet<Replica>): Replica | undefined {
    const left = workers.filter((one) => !not.has(one));
    const fine = left.filter(({ avoidUntil }) => avoidUntil <= now);
    const candidates = fine.length > 0 ? fine : left;
    if (candidates.length <= 1) return candidates[0];
    const least = Math.min(...candidates.map(({ inFlight }) => inFlight));
    const first = this.#turn++ % candidates.length;
    const turned = [...candidates.slice(first), ...candidates.slice(0, first)];
    const blocks = blocksOf(beginning);
    let best: Replica | undefined;
    let most = -1;
    for (const one of turned) {
      if (one.inFlight > least + MOST_AHEAD) continue;
      const known = this.#knownTo(one.pod, blocks);
      if (known > most || (known === most && best && one.inFlight < best.inFlight)) [best, most] = [one, known];
    }
    // A beginning that nobody knows goes to whoever has the least to do.
    if (most === 0) best = turned.find(({ inFlight }) => inFlight === least);
    if (best) this.#learn(best.pod, blocks);
    return best;
  }

  /** The others are gone. */
  keepOnly(pods: ReadonlySet<string>): void {
    const names = [...pods].sort().join(' ');
    if (names === this.#pods) return;
    this.#pods = names;
    for (const [key, knowing] of this.#known) {
      for (const pod of knowing) if (!pods.has(pod)) knowing.delete(pod);
      if (knowing.size === 0) this.#known.delete(key);
    }
  }

  #knownTo(pod: string, blocks: readonly string[]): number {
    const end = blocks.findIndex((block) => !this.#known.get(block)?.has(pod));
    return end < 0 ? blocks.length : end;
  }

  #learn(pod: string, blocks: readonly string[]): void {
    for (const block of blocks) {
      const knowing = this.#known.get(block) ?? new Set();
      knowing.add(pod);
      this.#known.delete(block);
      this.#known.set(block, knowing);
    }
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}

/** Each stands for all up to its end. */
function blocksOf(beginning: string): string[] {
  const blocks: string[] = [];
  let before = '';
  for (let at = 0; at < beginning.length && blocks.length < MOST_BLOCKS; at += LETTERS_OF_A_BLOCK) {
    const block = beginning.slice(at, at + LETTERS_OF_A_BLOCK);
    // The last one goes on with the next request: it is nobody's beginning yet.
    if (block.length < LETTERS_OF_A_BLOCK && blocks.length > 0) break;
    before = hash('sha1', before + block, 'base64');
    blocks.push(before);
  }
  return blocks;
}
