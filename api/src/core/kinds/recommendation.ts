// A size for an image, with the reason for it: what ran with the image in the organisation; what the image says that it needs, as the
// check of the Image read it; how large a language model it serves; or what is free.

import type { RecommendationView } from '@gantry/contract/areas/kinds/catalogue-views.ts';
import type { KindFacts, KubeObject, Words } from '@gantry/contract/define-kind.ts';
import { sentence } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { GI } from '@gantry/contract/fields/quantity.ts';
import { gpuName } from '@gantry/contract/gpu-name.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Image, type ImageNeeds, image as imageKind } from '@gantry/contract/kinds/image.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { organizationOf, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { RECOMMENDATION_WORDS } from '@gantry/contract/size-words.ts';
import type { PoolRules } from '@gantry/kube/placement.ts';
import { nameOf } from '../../platform/kube/list-order.ts';
import type { WatchCache } from '../../platform/kube/watch-cache.ts';
import { gpuSpecs, offerTo, type Room } from './stock.ts';

interface Asked {
  namespace: string;
  language: Language;
  region: string;
  pool: PoolRules;
  rooms: readonly Room[];
}

type Sized = KubeObject & {
  spec: { image: string; gpu?: { model: string; count: number }; cores: number; memoryGi: number };
};

const USERS: readonly KindFacts[] = [containerService, job, gpuInstance];
const WITHOUT_GPU = { cores: 2, memory_gi: 4 };
/** The factor on a language model's weights that leaves room for the context of its requests. */
const BESIDE_WEIGHTS = 1.2;

export function recommend(
  cache: WatchCache,
  { namespace, language, region, pool, rooms }: Asked,
  image: string,
): RecommendationView {
  const offer = offerTo(pool, organizationOf(namespace));
  const models = gpuSpecs(rooms, offer, region, () => ({ price: null, host_price: null }));
  const freeOf = (model: string) =>
    models.filter(({ gpu_type }) => gpu_type === model).reduce((sum, { free }) => sum + free, 0);
  const say: Say = (words, args) =>
    sentence(words, language, Object.fromEntries(Object.entries(args).map(([key, value]) => [key, `${value}`])));

  const before = lastThatWorked(cache, namespace, image);
  if (before) {
    const { gpu, cores, memoryGi } = before.spec;
    const name = nameOf(before);
    const reason = gpu
      ? say(RECOMMENDATION_WORDS.ranWithGpu, {
          name,
          count: gpu.count,
          model: gpuName(gpu.model),
          free: freeOf(gpu.model),
        })
      : say(RECOMMENDATION_WORDS.ran, { name });
    return { gpu: gpu ?? null, cores, memory_gi: memoryGi, reason, basis: 'history' };
  }

  const offered = models.filter(({ free, total }) => free > 0 || total > 0).sort((a, b) => b.free - a.free);
  const known = knownImage(cache, namespace, image);
  const asked = askedFor(known?.status?.needs, offered, say);
  if (asked) return asked;
  const bytes = known?.status?.sizeBytes;
  if (known?.spec.llm) {
    const needed = bytes === undefined ? 0 : (bytes / GI) * BESIDE_WEIGHTS;
    const sized = offered.flatMap((one) => {
      const count = Math.max(1, Math.ceil(needed / (one.gpu_memory_gi ?? Number.POSITIVE_INFINITY)));
      return count <= one.gpu_count ? [{ one, count }] : [];
    });
    // With as few cards as possible, where they are free.
    const best = sized.sort(
      (a, b) => Number(b.one.free >= b.count) - Number(a.one.free >= a.count) || a.count - b.count,
    )[0];
    if (best) {
      const { one, count } = best;
      const args = { count, model: one.name, free: one.free, size: Math.ceil((bytes ?? 0) / GI) };
      const reason = say(bytes === undefined ? RECOMMENDATION_WORDS.serves : RECOMMENDATION_WORDS.servesSize, args);
      return { ...ofCards(one, count), reason, basis: 'label' };
    }
  }
  const [roomiest] = offered;
  if (!roomiest) return { gpu: null, ...WITHOUT_GPU, reason: say(RECOMMENDATION_WORDS.noCards, {}), basis: 'stock' };
  const args = { model: roomiest.name, free: roomiest.free };
  return { ...ofCards(roomiest, 1), reason: say(RECOMMENDATION_WORDS.freest, args), basis: 'stock' };
}

type Offered = ReturnType<typeof gpuSpecs>[number];
type Say = (words: Words, args: Record<string, string | number>) => string;

/** The needs that the image itself states, of cards or of none; undefined if it states nothing of them, or none suits. */
function askedFor(
  needs: ImageNeeds | undefined,
  offered: readonly Offered[],
  say: Say,
): RecommendationView | undefined {
  const { gpus, gpuMemoryGi, cores, memoryGi } = needs ?? {};
  const sizes = { ...(cores && { cores }), ...(memoryGi && { memory_gi: memoryGi }) };
  if (gpus === 0)
    return { gpu: null, ...WITHOUT_GPU, ...sizes, reason: say(RECOMMENDATION_WORDS.asksForNone, {}), basis: 'label' };
  if (gpus === undefined && gpuMemoryGi === undefined) return undefined;
  const count = gpus ?? 1;
  const memoryOf = ({ gpu_memory_gi }: Offered) => gpu_memory_gi ?? 0;
  // The smallest card that does, where it is free.
  const [best] = offered
    .filter((one) => one.gpu_count >= count && memoryOf(one) >= (gpuMemoryGi ?? 0))
    .sort((a, b) => Number(b.free >= count) - Number(a.free >= count) || memoryOf(a) - memoryOf(b));
  if (!best) return undefined;
  const reason = say(RECOMMENDATION_WORDS.asks, { count, model: best.name, free: best.free });
  return { ...ofCards(best, count), ...sizes, reason, basis: 'label' };
}

const ofCards = (one: { gpu_type: string; card_cores: number; card_memory_gi: number }, count: number) => ({
  gpu: { model: one.gpu_type, count },
  cores: one.card_cores * count,
  memory_gi: one.card_memory_gi * count,
});

/** The newest of the organisation's that runs it, or did. */
function lastThatWorked(cache: WatchCache, namespace: string, image: string): Sized | undefined {
  return USERS.flatMap((kind) =>
    cache.list<Sized>(kind, namespace).filter((one) => one.spec.image === image && hasWorked(kind, one)),
  ).sort((a, b) => timeOf(b) - timeOf(a))[0];
}

const hasWorked = (kind: KindFacts, object: KubeObject): boolean => {
  const { phase = '' } = (object as { status?: { phase?: string } }).status ?? {};
  return kind.phases[phase]?.tone === 'good' && phase !== 'scheduled';
};
const timeOf = ({ metadata }: KubeObject): number => Date.parse(metadata.creationTimestamp ?? '') || 0;

const knownImage = (cache: WatchCache, namespace: string, source: string): Image | undefined =>
  [
    ...cache.list<Image>(imageKind, namespace),
    ...cache.list<Image>(imageKind, PLATFORM_NAMESPACE).filter(({ spec }) => spec.official),
  ].find(({ spec }) => spec.source === source);
