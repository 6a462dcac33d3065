// Kubernetes events for people: one whenever a status's phase or reason changes. They are never waited for; under a flood an
// object's newest replaces its older one that still waits, then events are dropped and counted: the status says it all.
import type { CommonStatus, KindFacts, KubeObject } from '@gantry/contract/define-kind.ts';
import type { KubeClient } from '@gantry/kube/client.ts';
import type { Clock } from '@gantry/kube/clock.ts';
import type { Resource } from '@gantry/kube/resource.ts';

const EVENTS: Resource = { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true };
const REPORTER = 'gantry.dev/operator';
/** The API server's limit on `note`, in bytes. */
const MOST_NOTE = 1024;

export interface EventLimits {
  /** At most so many at once, then one every `everyMs`. */
  burst: number;
  everyMs: number;
  /** Events beyond this number are dropped. */
  mostWaiting: number;
}

const LIMITS: EventLimits = { burst: 50, everyMs: 200, mostWaiting: 2000 };

export interface EventRecorderParts {
  client: Pick<KubeClient, 'create'>;
  clock: Clock;
  /** Our name among replicas. */
  instance: string;
  kinds: readonly Pick<KindFacts, 'kind' | 'phases'>[];
  count(result: 'recorded' | 'failed' | 'replaced' | 'dropped'): void;
  limits?: EventLimits;
}

export class EventRecorder {
  readonly #parts: EventRecorderParts;
  readonly #limits: EventLimits;
  /** In their order; changes of phase by the uid of their object. */
  readonly #waiting = new Map<unknown, KubeObject>();
  #tokens: number;
  #made = 0;
  #callOff: (() => void) | undefined;

  constructor(parts: EventRecorderParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? LIMITS;
    this.#tokens = this.#limits.burst;
  }

  /** Records what became of an object's phase and reason, if anything did. */
  record(before: KubeObject, after: KubeObject): void {
    const was = statusOf(before);
    const is = statusOf(after);
    if (is.phase === was.phase && is.reason === was.reason) return;
    this.#wait(after.metadata.uid, this.#event(after, is));
  }

  /** Records a fault of an object besides its phase. */
  warn(object: KubeObject, reason: string, note: string): void {
    this.#wait(Symbol(reason), Object.assign(this.#event(object, {}), { type: 'Warning', reason, note: cut(note) }));
  }

  close(): void {
    this.#callOff?.();
  }

  #wait(key: unknown, event: KubeObject): void {
    const isReplaced = this.#waiting.has(key);
    const isTooMuch = !isReplaced && this.#waiting.size >= this.#limits.mostWaiting;
    if (isReplaced) this.#parts.count('replaced');
    if (isTooMuch) this.#parts.count('dropped');
    else this.#waiting.set(key, event);
    this.#send();
  }

  #send(): void {
    for (const [key, event] of this.#waiting) {
      if (this.#tokens <= 0) break;
      this.#waiting.delete(key);
      this.#tokens--;
      this.#parts.client.create(EVENTS, event).then(
        () => this.#parts.count('recorded'),
        () => this.#parts.count('failed'),
      );
    }
    if (this.#tokens >= this.#limits.burst || this.#callOff) return;
    this.#callOff = this.#parts.clock.after(this.#limits.everyMs, () => {
      this.#callOff = undefined;
      this.#tokens++;
      this.#send();
    });
  }

  #event({ apiVersion, kind, metadata }: KubeObject, status: CommonStatus): KubeObject & Record<string, unknown> {
    const { name, namespace, uid, resourceVersion } = metadata;
    const phases = this.#parts.kinds.find((facts) => facts.kind === kind)?.phases ?? {};
    const tone = phases[status.phase ?? '']?.tone;
    const at = new Date(this.#parts.clock.now()).toISOString();
    return {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      // Events live in a namespace; those of cluster-wide objects in "default", where kubectl looks for them.
      metadata: {
        name: `${name}.${this.#parts.clock.now().toString(16)}.${(this.#made++).toString(36)}`,
        namespace: namespace ?? 'default',
      },
      eventTime: at.replace('Z', '000Z'),
      reportingController: REPORTER,
      reportingInstance: this.#parts.instance,
      action: 'Reconcile',
      type: tone === 'bad' || tone === 'warning' ? 'Warning' : 'Normal',
      reason: status.reason || status.phase || 'Changed',
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
      note: cut(status.message || `${kind} is ${status.phase}`),
    };
  }
}

const statusOf = (object: KubeObject): CommonStatus => (object as { status?: CommonStatus }).status ?? {};

function cut(note: string): string {
  if (Buffer.byteLength(note) <= MOST_NOTE) return note;
  // A cut in the middle of a character would leave the replacement character behind.
  return `${Buffer.from(note)
    .subarray(0, MOST_NOTE - 8)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')}…`;
}
