// The checks of `gantry doctor`: one row each, with everything it may find. A reason alone decides the finding, so that the command, the
// console and the exit code agree. Sentences are in `words/<language>/doctor.ts`.

/** The worst first. */
export const FINDINGS = ['problem', 'unknown', 'warning', 'ok', 'notApplicable'] as const;
export type Finding = (typeof FINDINGS)[number];

/** In the order in which people read them. */
export const CHECK_REASONS = {
  kubernetesVersion: { versionFits: 'ok', versionOld: 'problem' },
  kinds: { kindsServed: 'ok', kindsMissing: 'problem' },
  admissionPolicies: {
    policiesHold: 'ok',
    policiesServed: 'ok',
    policiesUnserved: 'problem',
    policiesMissing: 'problem',
    bindingsMissing: 'problem',
    policiesDiffer: 'problem',
    forbiddenAccepted: 'problem',
  },
  networkPolicies: {
    networkEnforced: 'ok',
    ingressOpen: 'problem',
    egressOpen: 'problem',
    podsApart: 'problem',
  },
  storageSizes: {
    classSized: 'ok',
    classUnsized: 'problem',
    classFixed: 'warning',
    classStuck: 'problem',
    classesUntried: 'unknown',
    noDefaultClass: 'warning',
    noClass: 'problem',
  },
  containerRuntime: { runtimeFits: 'ok', runtimeOld: 'problem', runtimeOther: 'problem' },
  snapshotter: { snapshotterFits: 'ok', snapshotterOther: 'problem', rootUnread: 'unknown' },
  gpus: {
    gpusFound: 'ok',
    gpusAbsent: 'warning',
    gpuLabelsMissing: 'problem',
    gpuPluginMissing: 'problem',
    gpusUnhealthy: 'warning',
  },
  gpuAccess: { cardsShut: 'ok', cardsOpen: 'warning', podsUnclosed: 'problem', noCards: 'notApplicable' },
  gpuExporter: {
    exporterRuns: 'ok',
    exporterMissing: 'warning',
    exporterAway: 'warning',
    exporterUnread: 'warning',
    noGpuNodes: 'notApplicable',
  },
  jobQueue: { queueRuns: 'ok', queueAbsent: 'warning', queueIncomplete: 'problem', queueSilent: 'problem' },
  pidsLimit: { pidsLimited: 'ok', pidsHigh: 'warning', pidsUnlimited: 'problem' },
  clocks: { clocksAgree: 'ok', clocksOff: 'warning', clocksFarOff: 'problem', clocksSilent: 'unknown' },
  registry: { registryReached: 'ok', registryUnreached: 'problem', nodesUntried: 'unknown' },
  databaseDurable: {
    databaseSafe: 'ok',
    databaseEmbedded: 'warning',
    commitsUnawaited: 'warning',
    databaseUnsynced: 'problem',
  },
  databaseSpeed: { commitsFast: 'ok', commitsSlow: 'warning', commitsTooSlow: 'problem' },
  vectors: { vectorsReached: 'ok', vectorsUnreached: 'problem' },
  mail: { mailReached: 'ok', mailOff: 'warning', mailUnreached: 'problem' },
  tidiness: { tidied: 'ok', leftBehind: 'warning' },
} as const satisfies Record<string, Record<string, Finding>>;

/** Reasons that any check may answer with. */
export const ANY_REASONS = {
  failed: 'unknown',
  forbidden: 'unknown',
  tookTooLong: 'unknown',
  calledOff: 'unknown',
  noNodes: 'unknown',
  needsPlatform: 'notApplicable',
  notGiven: 'notApplicable',
} as const satisfies Record<string, Finding>;

export type CheckId = keyof typeof CHECK_REASONS;
export const CHECK_IDS = Object.keys(CHECK_REASONS) as CheckId[];
export type ReasonOfCheck<Id extends CheckId> = keyof (typeof CHECK_REASONS)[Id] & string;
export type DoctorReason = { [Id in CheckId]: ReasonOfCheck<Id> }[CheckId] | keyof typeof ANY_REASONS;

/** One thing that a check found; `args` fill its sentences. */
export interface Found {
  readonly reason: DoctorReason;
  readonly args: Readonly<Record<string, string>>;
}

/** A check's answer: its finding is the worst of what it found. */
export interface CheckResult {
  readonly check: CheckId;
  readonly finding: Finding;
  readonly found: readonly Found[];
  readonly tookMs: number;
}

const FINDING_OF: Readonly<Record<string, Finding>> = Object.assign({}, ANY_REASONS, ...Object.values(CHECK_REASONS));

export const findingOf = (reason: DoctorReason): Finding => FINDING_OF[reason] ?? 'unknown';
export const worstOf = (findings: readonly Finding[]): Finding =>
  FINDINGS.find((finding) => findings.includes(finding)) ?? 'notApplicable';

/** Names in a sentence: the first few, and how many more there are. */
export function namesIn(names: readonly string[]): string {
  const most = 5;
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown}, … (+${names.length - most})` : shown;
}
