// Which components the installation has, and whether each works now: our own listeners are asked over HTTP, as anybody asks them, and for
// the rest what the operators' console knows of the platform's parts.
import type { StatusComponent } from '@gantry/contract/areas/portal/incident-facts.ts';
import type { AdminRow } from '@gantry/contract/http/admin.ts';
import type { Checked } from './status-checks.ts';

type Part = Pick<AdminRow<'health'>, 'component' | 'state' | 'trouble'>;

interface Parts {
  /** Of the gateway itself, without a slash at the end. */
  readonly url: string;
  readonly hasConsole: boolean;
  readonly health: () => Promise<readonly Part[]>;
  /** Rejects where the object store does not answer; undefined without one. */
  readonly store: (() => Promise<unknown>) | undefined;
  readonly fetch?: typeof fetch;
}

const LIMIT_MS = 10_000;

export async function probed({ url, hasConsole, health, store, fetch: ask = fetch }: Parts): Promise<Checked> {
  const answers = async (path: string, ...statuses: number[]): Promise<boolean> => {
    const answer = await ask(`${url}${path}`, { signal: AbortSignal.timeout(LIMIT_MS), redirect: 'manual' });
    await answer.body?.cancel();
    return statuses.includes(answer.status);
  };
  const [gateway, console, models, storage, parts] = await Promise.all([
    isTrue(answers('/readyz', 200)),
    hasConsole ? isTrue(answers('/', 200)) : undefined,
    // It asks who is there.
    isTrue(answers('/v1/models', 200, 401)),
    store && isTrue(store().then(() => true)),
    health().catch(() => undefined),
  ]);
  const found: Partial<Record<StatusComponent, boolean | undefined>> = {
    ...{ gateway, console, models, storage },
    ...(parts ? partsOf(parts) : {}),
  };
  return new Map(
    Object.entries(found).flatMap(([id, isUp]) => (isUp === undefined ? [] : [[id as StatusComponent, isUp]])),
  );
}

/** One that is missing altogether is no part of the installation. */
const ABSENT: ReadonlySet<Part['trouble']> = new Set(['doorMissing', 'registryOff', 'mailOff']);

function partsOf(parts: readonly Part[]): Partial<Record<StatusComponent, boolean | undefined>> {
  const of = (component: Part['component']) =>
    parts.filter((part) => part.component === component && !ABSENT.has(part.trouble));
  /** Undefined: there is none, or nobody can tell. */
  const isUp = (component: Part['component']): boolean | undefined => {
    const known = of(component).filter(({ state }) => state !== 'unknown');
    return known.length === 0 ? undefined : known.some(({ state }) => state !== 'down');
  };
  const operators = of('operator');
  return {
    cluster: operators.length === 0 ? undefined : !operators.some(({ trouble }) => trouble === 'notReadable'),
    operator: isUp('operator'),
    registry: isUp('registry'),
    ssh: isUp('door'),
    mail: of('mail').length === 0 ? undefined : of('mail').every(({ trouble }) => trouble === null),
  };
}

const isTrue = (answer: Promise<boolean>): Promise<boolean> => answer.catch(() => false);
