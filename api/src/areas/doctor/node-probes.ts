// One throw-away Pod per node says what only the node itself knows: whether it pulls from its registry, and how containers are mounted.
import { VISIBLE_DEVICES } from '@gantry/contract/gpu-access.ts';
import type { Node, Pod } from '@gantry/kube/core-objects.ts';
import { cannotPull, lastWords, POD, type ThrowAways, throwAwayPod, whyNot } from './throw-aways.ts';

const MOST_NODES = 10;
const SCRIPT = [
  `line=$(grep ' / ' /proc/self/mounts | tail -n 1)`,
  `type=$(echo "$line" | cut -d ' ' -f 3)`,
  // Layers below may be named relative to a folder; the one that is written to never is.
  `upper=$(echo "$line" | grep -o 'upperdir=[^, ]*' | head -c 1000)`,
  // NVIDIA's runtime made them, because the environment asks for them: this Pod has no right to any.
  'cards=$(ls /dev | grep -c "^nvidia[0-9]")',
  `printf '%s %s %s' "$cards" "$type" "$upper" > /dev/termination-log`,
].join('; ');

const ALL_CARDS = { name: VISIBLE_DEVICES, value: 'all' };

export interface ProbedNode {
  readonly node: string;
  /** Absent: it said nothing, for the reason in `why`. */
  readonly root?: { readonly type: string; readonly upper: string };
  /** GPUs that a container gets which only says that it wants them. */
  readonly cards?: number;
  readonly pull: 'done' | 'failed' | 'unknown';
  readonly why: string;
}

/** Probes the first nodes by name; the others stay unknown. Resolves with the results so far when `signal` aborts. */
export function probeNodes(
  nodes: readonly Node[],
  image: string,
  throwAways: ThrowAways,
  signal: AbortSignal,
): Promise<ProbedNode[]> {
  const names = nodes.map(({ metadata }) => metadata.name).sort();
  return Promise.all(
    names.map((node, index) =>
      index < MOST_NODES
        ? probeNode(node, `node-${throwAways.run}-${index}`, image, throwAways, signal)
        : { node, pull: 'unknown' as const, why: `only ${MOST_NODES} nodes are tried` },
    ),
  );
}

async function probeNode(
  node: string,
  name: string,
  image: string,
  throwAways: ThrowAways,
  signal: AbortSignal,
): Promise<ProbedNode> {
  let seen: Pod | undefined;
  const isTold = (pod: Pod) => {
    seen = pod;
    return lastWords(pod) !== undefined || cannotPull(pod);
  };
  try {
    await throwAways.make(POD, throwAwayPod({ name, image, script: SCRIPT, node, pulls: true, env: [ALL_CARDS] }));
    await throwAways.whenPod(name, isTold, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const words = seen && lastWords(seen);
  if (seen && words !== undefined) return { node, pull: 'done', why: '', ...saidBy(words) };
  return { node, pull: seen && cannotPull(seen) ? 'failed' : 'unknown', why: seen ? whyNot(seen) : 'no Pod was made' };
}

function saidBy(words: string): Pick<ProbedNode, 'root' | 'cards'> {
  const [cards = '', type = '', upper = ''] = words.trim().split(' ');
  return { root: { type, upper: upper.replace(/^upperdir=/, '') }, ...(cards !== '' && { cards: Number(cards) || 0 }) };
}
