// Objects into what the API shows of them: pure. What a page needs to know of an object is decided here, once.
import type { CommonStatus, Condition, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { Language } from '@gantry/contract/fields/language.ts';
import { listOf } from '@gantry/contract/fields/stored.ts';
import type { CommonView, Beside as KindBeside, PriceView, StateView } from '@gantry/contract/kind-api.ts';
import { withoutOutput } from '@gantry/contract/kinds/exits.ts';
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
  /** The price of the object after a command; null if it then costs nothing. */
  priceAfter?: (action: string) => PriceView | null;
}

/**
 * Returns the view of any kind; a kind without its own view shows the common fields and its spec. Variables and commands hold
 * tenants' passwords, and so may what a program wrote: staff who look at a tenant's console see none of it.
 */
export function toView(facts: KindFacts, whole: KubeObject, viewer: Viewer, beside: Beside): object {
  const object = viewer.role === 'visitor' ? forVisitor(whole) : whole;
  const common = commonOf(facts, object, viewer, beside);
  const { price = null, related = {} } = beside;
  const { language } = viewer;
  const localize: KindBeside['localize'] = (of, stored) => localized(of, stored, language);
  if (facts.api?.show) return facts.api.show(object, common, { language, price, related, localize });
  return { ...common, status: common.phase, spec: (object as KubeObject & { spec?: object }).spec ?? {} };
}

/** Stands for a command: without any the instance would seem to idle. */
const HIDDEN = ['…'];

function forVisitor(object: KubeObject): KubeObject {
  const { spec = {}, status } = object as KubeObject & { spec?: Record<string, unknown>; status?: CommonStatus };
  const { env: _, command, ...shown } = spec;
  return {
    ...object,
    spec: { ...shown, ...(command !== undefined && { command: HIDDEN }) },
    ...(status && { status: withoutLines(status) }),
  } as KubeObject;
}

function withoutLines(status: CommonStatus): CommonStatus {
  const state = <State extends Pick<CommonStatus, 'reasonArgs' | 'message'>>(one: State): State => {
    if (!one.reasonArgs) return one;
    const { args, message } = withoutOutput(one.reasonArgs, one.message ?? '');
    return { ...one, reasonArgs: args, ...(one.message !== undefined && { message }) };
  };
  return {
    ...state(status),
    ...(status.history && { history: listOf(status.history).map(state) }),
    ...(status.conditions && {
      conditions: listOf(status.conditions).map((one) =>
        one.args ? { ...one, ...withoutOutput(one.args, one.message) } : one,
      ),
    }),
  } as CommonStatus;
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
    conditions: listOf(status?.conditions).map((condition) => conditionOf(facts, condition, language)),
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
export function historyOf(
  facts: KindFacts,
  whole: KubeObject,
  { language, role }: { language: Language; role?: ShownRole | undefined },
): StateView[] {
  const { status } = (role === 'visitor' ? forVisitor(whole) : whole) as { status?: CommonStatus };
  return listOf(status?.history).map((state) => {
    const { label, tone, message = null } = stateInWords(facts, state, language);
    const { phase, reason = null, since } = state;
    return { phase, phase_label: label, tone, reason, message, since };
  });
}

function conditionOf(facts: KindFacts, condition: Condition, language: Language) {
  const { type, status, reason, lastTransitionTime } = condition;
  return { type, status, reason, message: localized(facts, condition, language), since: lastTransitionTime };
}
