// Staff's commands on tenants' objects: given as the account that stands for staff, never as a member. The state machine, the credit gate
// and every policy hold as they do for the tenant.
import type { KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { ANNOTATION, organizationOf, PLATFORM_NAMESPACE, STAFF_ACCOUNT } from '@gantry/contract/names.ts';
import { isPause, PAUSES, staffRows } from '@gantry/contract/staff-commands.ts';
import type { KindStore } from '../kind-store.ts';
import type { RequestKey } from '../kind-writes.ts';
import { hooksOf } from '../kinds/hooks.ts';

export const STAFF_USER = `system:serviceaccount:${PLATFORM_NAMESPACE}:${STAFF_ACCOUNT}`;

export interface StaffWish {
  action: string;
  /** The object's name once more, for what destroys something. */
  confirm?: string | undefined;
}

type Spec = { startedBy?: string; creator?: string };

export class StaffWrites {
  readonly #store: Pick<KindStore, 'everywhere' | 'act' | 'annotate'>;

  constructor(store: Pick<KindStore, 'everywhere' | 'act' | 'annotate'>) {
    this.#store = store;
  }

  /** Throws not_found. `id` is `<namespace>.<name>`. */
  find(facts: KindFacts, id: string): KubeObject & { metadata: { namespace: string } } {
    const dot = id.indexOf('.');
    const [namespace, name] = [id.slice(0, Math.max(0, dot)), id.slice(dot + 1)];
    const found = dot > 0 ? this.#store.everywhere.get(facts, namespace, name) : undefined;
    if (!found) throw problem('not_found', { what: id });
    return { ...found, metadata: { ...found.metadata, namespace } };
  }

  /**
   * Returns the object afterwards. Throws not_found, action_not_allowed, confirmation_needed, official_image, policy_refused and what
   * the credit gate refuses with.
   */
  async act(
    facts: KindFacts,
    id: string,
    { action, confirm }: StaffWish,
    { language, request }: { language: Language; request: RequestKey },
  ): Promise<KubeObject> {
    const object = this.find(facts, id);
    const { namespace, name } = object.metadata;
    if (organizationOf(namespace) === undefined)
      throw hooksOf(facts).offeredRefusal?.(object) ?? problem('not_found', { what: id });
    // The account that started it goes on paying for it.
    const { startedBy, creator = '' } = (object as KubeObject & { spec?: Spec }).spec ?? {};
    const writer = { namespace, account: startedBy ?? creator, role: 'owner', language, user: STAFF_USER } as const;
    if (isPause(action)) return this.#store.annotate(facts, writer, name, { [ANNOTATION.paused]: PAUSES[action] });
    const row = staffRows(facts)[action];
    if (!row) throw problem('permission_missing');
    if (row.danger === 'destroys' && confirm !== name)
      throw problem('confirmation_needed', { id: name }, { field: 'confirm' });
    return this.#store.act(facts, writer, name, { action, ...(confirm !== undefined && { confirm }) }, request);
  }
}
