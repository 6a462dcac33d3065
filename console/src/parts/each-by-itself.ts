// One call for each of several: what one is refused for does not hold up the others.
import { ApiProblem, sentenceOf } from '@gantry/ui/client/api-problem.ts';

export interface Refusal<Item> {
  readonly item: Item;
  readonly sentence: string;
}

/** In order, one after the other. Gives those that were refused, with why. */
export async function eachByItself<Item>(
  items: readonly Item[],
  call: (item: Item) => Promise<unknown>,
): Promise<Refusal<Item>[]> {
  const refused: Refusal<Item>[] = [];
  for (const item of items) {
    try {
      await call(item);
    } catch (error) {
      refused.push({ item, sentence: sentenceOf(error) });
    }
  }
  return refused;
}

/**
 * Removes what `removed` does not contain yet, and adds what it removed, so that pressing again continues with the rest. Rejects
 * with the sentences of all refusals, each with its name.
 */
export async function removeEach<Item>(
  items: readonly Item[],
  removed: Set<Item>,
  nameOf: (item: Item) => string,
  remove: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.filter((item) => !removed.has(item));
  const refused = await eachByItself(left, async (item) => {
    await remove(item).catch((error: unknown) => {
      // Somebody else was first.
      if (!(error instanceof ApiProblem) || error.status !== 404) throw error;
    });
    removed.add(item);
  });
  if (refused.length > 0)
    throw new Error(refused.map(({ item, sentence }) => `${nameOf(item)}: ${sentence}`).join('\n'));
}
