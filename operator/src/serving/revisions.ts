// The history of a service: a revision is recorded before the Deployment becomes it, so that a rollback can name what went before.
import { identityOf } from '@gantry/contract/identity.ts';
import {
  type ContainerServiceSpec,
  type ContainerServiceStatus,
  MOST_REVISIONS,
  MOST_TEMPLATE_LETTERS,
  TEMPLATE_FIELDS,
} from '@gantry/contract/kinds/container-service-schema.ts';
import type { GpuHost } from '@gantry/contract/kinds/gpu-host.ts';
import { iso, wholeSeconds } from '../metering.ts';
import { startedFrom } from '../tenant-pods.ts';
import type { Facts } from './facts.ts';

export type Revision = NonNullable<ContainerServiceStatus['revisions']>[number];

/** The template fields of a service's spec. */
export const templateOf = (spec: ContainerServiceSpec): Record<string, unknown> =>
  Object.fromEntries(TEMPLATE_FIELDS.map((field) => [field, spec[field]]));

/** Changes when other replicas are wanted, or when another host has the name of theirs. */
export const hashOf = (spec: ContainerServiceSpec, host: GpuHost | undefined, extra?: string): string =>
  digestOf(
    JSON.stringify([
      templateOf(spec),
      spec.restartCount ?? 0,
      host && identityOf(host),
      ...(extra === undefined ? [] : [extra]),
    ]),
  );

/** FNV-1a over UTF-16 units, twice with different seeds: tells two specs apart, secures nothing. */
export function digestOf(text: string): string {
  let a = 0x811c9dc5;
  let b = 0xdeadbeef;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x5bd1e995);
  }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Newest first, with the outcome that is known by now. */
export function revisionsOf(f: Facts): readonly Revision[] {
  const known = (f.status.revisions ?? []).slice(0, MOST_REVISIONS);
  const [present, ...former] = known;
  if (present?.hash === f.hash) return [{ ...present, outcome: outcomeOf(f, present) }, ...former];
  // Nothing starts now: it goes on as it was.
  if (f.isHeld || f.target === 0) return known;
  const passed = known.map((one) => ({ ...one, outcome: one.outcome === 'rolling' ? 'bad' : one.outcome }) as Revision);
  return [begun(f, Math.max(0, ...known.map(({ revision }) => revision)) + 1), ...passed].slice(0, MOST_REVISIONS);
}

function begun({ owner, hash, seen, now, served }: Facts, revision: number): Revision {
  const template = JSON.stringify(served.template(owner));
  return {
    revision,
    at: iso(wholeSeconds(now)),
    hash,
    outcome: 'rolling',
    // Pinned: one that is verified later changes nothing of replicas that run.
    image: startedFrom(owner.spec.image, seen.images.ready).image,
    ...(template.length <= MOST_TEMPLATE_LETTERS && { template }),
  };
}

/** One that was late can still become complete. One that was complete stays good: later trouble is not the revision's. */
function outcomeOf(f: Facts, { outcome }: Revision): Revision['outcome'] {
  if (outcome === 'good' || f.isComplete) return 'good';
  return f.isLate ? 'bad' : outcome;
}
