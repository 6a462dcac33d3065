// Enables, disables and mutes a policy: as the member who asks, or, by the link of a mail, as its creator or an owner.
import { instantOf } from '@gantry/contract/fields/date-time.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { alertPolicy } from '@gantry/contract/kinds/alert-policy.ts';
import { organizationOf } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import { actorOf } from '../../core/identity/organizations/actor-of.ts';
import type { Writer } from '../../core/kinds/kind-writes.ts';
import type { Cluster } from '../../core/kinds/open-cluster.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Platform } from '../../platform/open.ts';
import type { MuteLinks } from './mute-links.ts';
import type { WatchedObjects } from './watched-objects.ts';

const MUTE_MS = 30 * 60_000;

/** The policy that a link is about, and the end of its mute. */
export interface MutedPolicy {
  organizationId: string;
  id: string;
  policy: string;
  mutedUntil: number | undefined;
  /** By this very call. */
  hasMuted: boolean;
}

/** Throws not_found. */
export async function setPolicyStatus(
  { clock, kinds }: { clock: Pick<Clock, 'now'>; kinds: Pick<Cluster['kinds'], 'change'> },
  caller: Caller,
  id: string,
  { status, minutes }: { status: 'enabled' | 'disabled' | 'blocking'; minutes: number },
  language: Language,
): Promise<void> {
  const { namespace, role } = caller.organization;
  const writer: Writer = { namespace, role, language, account: caller.account.id };
  const change =
    status === 'blocking'
      ? { mutedUntil: rfc3339(clock.now() + minutes * 60_000) }
      : status === 'disabled'
        ? { state: 'Disabled' }
        : { state: 'Enabled', mutedUntil: null };
  await kinds.change(alertPolicy, writer, id, change);
}

/** Looks only unless `confirm`. Throws link_invalid. */
export async function muteByLink(
  { clock, db }: Pick<Platform, 'clock' | 'db'>,
  {
    kinds,
    links,
    objects,
  }: { kinds: Pick<Cluster['kinds'], 'change'>; links: Pick<MuteLinks, 'read' | 'use'>; objects: WatchedObjects },
  token: string,
  confirm: boolean,
): Promise<MutedPolicy> {
  const { notice, policyUid, isUsed } = await links.read(token);
  const policy = objects.byUid().get(policyUid);
  if (!policy) throw problem('link_invalid');
  const { metadata, spec } = policy;
  const organizationId = organizationOf(metadata.namespace ?? '') ?? '';
  const about = { organizationId, id: metadata.name, policy: spec.displayName ?? metadata.name };
  const known = instantOf(spec.mutedUntil);
  if (!confirm || isUsed)
    return {
      ...about,
      mutedUntil: known !== undefined && known > clock.now() ? known : undefined,
      hasMuted: false,
    };
  const mutedUntil = Math.floor((clock.now() + MUTE_MS) / 1000) * 1000;
  const account = await actorOf(db.sql, { organizationId, creator: spec.creator });
  const writer: Writer = { namespace: metadata.namespace ?? '', account, language: 'en', role: 'owner' };
  await kinds.change(alertPolicy, writer, metadata.name, { mutedUntil: rfc3339(mutedUntil) });
  // Afterwards: a link that muted nothing can be tried again, and one that did cannot undo what somebody does later.
  await links.use(notice);
  return { ...about, mutedUntil, hasMuted: true };
}
