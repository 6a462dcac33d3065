// Objects into what the API shows of them: pure. What a page needs to know of an object is decided here, once.
import type { CommonStatus, Condition, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import type { CommonView, Beside as KindBeside, PriceView, StateView } from '@gantry/contract/kind-api.ts';
import { localized } from '@gantry/contract/localized.ts';
import type { ShownRole } from '@gantry/contract/roles.ts';
import { stateInWords, viewOf } from '@gantry/contract/view.ts';

export interface Viewer {
  language: Language;
  role: ShownRole;
}

/** The data centre that this cluster is. */
export interface Region {
  id: string;
  label: string;
}

/** Data from outside the object itself. */
export interface Beside {
  region: Region;
  /** The result of its kind's hook. */
  related?: object;
  price?: PriceView | null;
  /** What the object costs after a command; null if it then costs nothing. */
  priceAfter?: (action: string) => PriceView | null;
}

/**
 * Returns the view of any kind; a kind without its own view shows the common fields and its spec. Variables hold tenants' passwords:
 * staff who look at a tenant's console see none.
 */
export function toView(facts: KindFacts, whole: KubeObject, viewer: Viewer, beside: Beside): object {
  const object = viewer.role === 'visitor' ? withoutVariables(whole) : whole;
  const common = commonOf(facts, object, viewer, beside);
  const { price = null, related = {} } = beside;
  const { language } = viewer;
  const localize: KindBeside['localize'] = (of, stored) => localized(of, stored, language);
  if (facts.api?.show) return facts.api.show(object, common, { language, price, related, localize });
  return { ...common, status: common.phase, spec: (object as KubeObject & { spec?: object }).spec ?? {} };
}

function withoutVariables(object: KubeObject): KubeObject {
  const { env: _, ...spec } = (object as KubeObject & { spec?: Record<string, unknown> }).spec ?? {};
  return { ...object, spec } as KubeObject;
}

function commonOf(facts: KindFacts, object: KubeObject, { language, role }: Viewer, beside: Beside): CommonView {
  const { spec, status } = object as { spec?: { creator?: string }; status?: CommonStatus };
  const { region } = beside;
  const { phaseLabel, message, actions, ...view } = viewOf(facts, object, language, role);
  return {
    ...view,
    actions: actions.map((row) => ({ ...row, ...newPrice(row, beside) })),
    phase_label: phaseLabel,
    reason: status?.phase === view.phase ? (status.reason ?? null) : null,
    message: message ?? null,
    conditions: (status?.conditions ?? []).map((condition) => conditionOf(facts, condition, language)),
    creator: spec?.creator ?? null,
    create_time: object.metadata.creationTimestamp ?? '',
    generation: object.metadata.generation ?? 0,
    region: region.id,
    data_center: region.label,
  };
}

function newPrice({ action, spends }: { action: string; spends: boolean }, { price = null, priceAfter }: Beside) {
  const after = spends ? priceAfter?.(action) : undefined;
  return after && after.amount !== price?.amount ? { price: after } : {};
}

/** Its earlier states, newest first. */
export const historyOf = (facts: KindFacts, object: KubeObject, language: Language): StateView[] =>
  ((object as { status?: CommonStatus }).status?.history ?? []).map((state) => {
    const { label, tone, message = null } = stateInWords(facts, state, language);
    const { phase, reason = null, since } = state;
    return { phase, phase_label: label, tone, reason, message, since };
  });

function conditionOf(facts: KindFacts, condition: Condition, language: Language) {
  const { type, status, reason, lastTransitionTime } = condition;
  return { type, status, reason, message: localized(facts, condition, language), since: lastTransitionTime };
}
