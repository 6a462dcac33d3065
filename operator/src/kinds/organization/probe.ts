// Does the cluster's network really keep tenants apart? A NetworkPolicy does nothing where nobody enforces it, so it is tried:
// a Pod inside the organisation and two outside dial each other. A target that another Pod reaches is the positive control.
import { type Condition, sentence } from '@gantry/contract/define-kind.ts';
import { type Organization, type OrganizationReason, organization } from '@gantry/contract/kinds/organization.ts';
import { LABEL, organizationNamespace, PLATFORM_PRIORITY_CLASS, PROBE_NAMESPACE } from '@gantry/contract/names.ts';
import type { Instant } from '@gantry/kube/clock.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import type { Plan } from '../../define-controller.ts';
import { instant } from '../../metering.ts';
import { ownedBy } from '../../resources.ts';
import type { OrganizationSettings } from './desired.ts';

/** `target` listens outside; `inside` listens and dials the target; `control`, outside, dials both. */
type Part = 'target' | 'inside' | 'control';

const PORT = 8080;
const GREETING = 'gantry';
/** A probe without a result after this long has failed: no room, no image, no network. */
const PATIENCE_MS = 3 * 60_000;

const LISTEN = `while true; do nc -l -p ${PORT} -e echo ${GREETING}; done`;
// Rules may reach a node moments after the Pod: what differs from the expected is tried five times.
const DIAL = `dial() {
  for try in 1 2 3 4 5; do
    found=closed
    [ "$(nc -w 2 "$2" ${PORT} </dev/null)" = ${GREETING} ] && found=open
    [ "$found" = "$3" ] && break
    sleep 2
  done
  printf '%s=%s ' "$1" "$found" >> /dev/termination-log
}`;

const probeName = (owner: Organization, part: Part): string =>
  part === 'inside' ? 'gantry-probe' : `${owner.metadata.name}-${part}`;

export interface ProbeStep extends Pick<Plan, 'create' | 'remove'> {
  /** The current verdict; undefined: the earlier one holds. */
  verdict?: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;
  isDone: boolean;
  againInMs?: number;
}

/** The next step of a probe that is due, or tidying up after one that is not. */
export function probeStep(
  owner: Organization,
  pods: readonly Pod[],
  now: Instant,
  settings: OrganizationSettings,
): ProbeStep {
  const removal = { remove: pods.filter(({ metadata }) => !metadata.deletionTimestamp).map(targetOf) };
  const probedAt = instant(owner.status?.probedAt);
  const dueAt = probedAt === undefined ? now : probedAt + settings.probeEveryMs;
  if (dueAt > now) return { ...removal, isDone: false, againInMs: dueAt - now };
  // Names are reused: the remains of an earlier probe have to go first.
  if (pods.some(({ metadata }) => metadata.deletionTimestamp)) return { ...removal, isDone: false };

  const part = (name: Part) => pods.find(({ metadata }) => metadata.name === probeName(owner, name));
  const [target, inside, control] = [part('target'), part('inside'), part('control')];
  const made = Math.min(...pods.map(({ metadata }) => instant(metadata.creationTimestamp) ?? now));
  const found = judge(inside, control) ?? (pods.length > 0 && now - made >= PATIENCE_MS ? NO_RESULT : undefined);
  if (found) return { ...removal, verdict: found, isDone: true };

  const wait = { isDone: false, againInMs: Math.min(made, now) + PATIENCE_MS - now };
  if (!target) return { create: [probePod(owner, 'target', '', settings)], ...wait };
  const targetIp = listeningAt(target);
  if (!targetIp) return wait;
  if (!inside) {
    return {
      create: [probePod(owner, 'inside', `dial target ${targetIp} closed; dial self 127.0.0.1 open`, settings)],
      ...wait,
    };
  }
  const insideIp = listeningAt(inside);
  if (!insideIp || control) return wait;
  const dials = `dial target ${targetIp} open; dial inside ${insideIp} closed`;
  return { create: [probePod(owner, 'control', dials, settings)], ...wait };
}

type Verdict = NonNullable<ProbeStep['verdict']>;
const verdict = (status: Verdict['status'], reason: OrganizationReason): Verdict => ({
  type: 'NetworkIsolated',
  status,
  reason,
  message: sentence(organization.reasons[reason], 'en'),
});

/** Until the first probe has ended. */
export const NOT_PROBED = verdict('Unknown', 'Probing');
const NO_RESULT = verdict('Unknown', 'NoResult');

/** In this order: without its control a silent network says nothing. */
const VERDICTS: readonly [is: (seen: { inside: Dialled; control: Dialled; listening: boolean }) => boolean, Verdict][] =
  [
    [({ control }) => control.target !== 'open', verdict('Unknown', 'ControlFailed')],
    [({ inside, listening }) => inside.self !== 'open' || !listening, verdict('Unknown', 'ProbeSilent')],
    [({ inside }) => inside.target !== 'closed', verdict('False', 'EgressOpen')],
    [({ control }) => control.inside !== 'closed', verdict('False', 'IngressOpen')],
    [() => true, verdict('True', 'Isolated')],
  ];

function judge(inside: Pod | undefined, control: Pod | undefined): Verdict | undefined {
  const [dialledInside, dialledOutside] = [dialled(inside), dialled(control)];
  if (!dialledInside || !dialledOutside) return undefined;
  const seen = { inside: dialledInside, control: dialledOutside, listening: listeningAt(inside) !== undefined };
  return VERDICTS.find(([is]) => is(seen))?.[1];
}

type Dialled = Record<string, string | undefined>;

/** The result of a Pod's dialling, once it has ended: `target=open self=open`. */
function dialled(pod: Pod | undefined): Dialled | undefined {
  const ended = statusOf(pod, 'dial')?.state?.terminated;
  return (
    ended &&
    Object.fromEntries(
      (ended.message ?? '')
        .trim()
        .split(' ')
        .map((word) => word.split('=')),
    )
  );
}

const listeningAt = (pod: Pod | undefined): string | undefined =>
  statusOf(pod, 'listen')?.state?.running ? pod?.status?.podIP : undefined;

const statusOf = (pod: Pod | undefined, container: string) =>
  pod?.status?.containerStatuses?.find(({ name }) => name === container);

function probePod(owner: Organization, part: Part, dials: string, { probeImage }: OrganizationSettings): Pod {
  const container = (name: string, script: string) => ({
    name,
    image: probeImage,
    command: ['sh', '-c', script],
    resources: { requests: { cpu: '10m', memory: '16Mi' }, limits: { cpu: '100m', memory: '32Mi' } },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: probeName(owner, part),
      namespace: part === 'inside' ? organizationNamespace(owner.metadata.name) : PROBE_NAMESPACE,
      // Not the organisation's label: tenants' Pods keep off nodes where another organisation's have it.
      labels: { [LABEL.kind]: owner.kind, [LABEL.name]: owner.metadata.name },
      ownerReferences: ownedBy(owner),
    },
    spec: {
      restartPolicy: 'Never',
      priorityClassName: PLATFORM_PRIORITY_CLASS,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // In case nobody tidies up.
      activeDeadlineSeconds: (2 * PATIENCE_MS) / 1000,
      terminationGracePeriodSeconds: 1,
      securityContext: { runAsNonRoot: true, runAsUser: 65534, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [
        ...(part === 'control' ? [] : [container('listen', LISTEN)]),
        ...(dials ? [container('dial', `${DIAL}; ${dials}`)] : []),
      ],
    },
  };
}
