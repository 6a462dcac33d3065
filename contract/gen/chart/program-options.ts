// The options of the gateway and the operator. The chart sets some of them from its own values; the rest are values below `gateway.options`
// and `operator.options`, with the words of --help: a new option is a value of the chart at once.
import { type OptionFacts, optionFacts } from '@gantry/kube/options.ts';
import * as z from 'zod';
import { OPTIONS as GATEWAY } from '../../../api/src/platform/config.ts';
import { OPTIONS as OPERATOR } from '../../../operator/src/config.ts';

export type Program = 'gateway' | 'operator';
const FACTS: Readonly<Record<Program, readonly OptionFacts[]>> = {
  gateway: optionFacts(GATEWAY),
  operator: optionFacts(OPERATOR),
};

const CHART = 'the chart';
const IMAGE = 'the image';
const ACCOUNT = "the Pod's service account";
const RESTORE = 'the command line of restore';

/** Options that are refused below `options`, and what says them instead: mostly a value. */
export const SAID_BY: Readonly<Record<Program, Readonly<Record<string, string>>>> = {
  gateway: {
    host: CHART,
    port: CHART,
    'tenant-host': CHART,
    'tenant-port': CHART,
    'tenant-domain': 'tenantDomain',
    'prometheus-url': 'prometheus.url',
    'prometheus-token-file': 'prometheus.secretKeys',
    'prometheus-ca-file': 'prometheus.secretKeys',
    'prometheus-cert-file': 'prometheus.secretKeys',
    'prometheus-key-file': 'prometheus.secretKeys',
    'kubernetes-host': CHART,
    'kubernetes-port': CHART,
    'kubernetes-url': 'urls.kubernetes',
    'kubernetes-tls-cert-file': 'tls.kubernetesExistingSecret',
    'kubernetes-tls-key-file': 'tls.kubernetesExistingSecret',
    'kubernetes-ca-file': 'tls.kubernetesExistingSecret',
    'public-url': 'urls.console',
    'console-dir': IMAGE,
    'admin-host': CHART,
    'admin-port': CHART,
    'admin-dir': IMAGE,
    'admin-url': 'urls.admin',
    'portal-host': CHART,
    'portal-port': CHART,
    'portal-dir': IMAGE,
    'portal-url': 'urls.portal',
    'data-dir': CHART,
    'database-url': 'database.existingSecret',
    'shared-pool': 'sharedPool',
    'host-taint-key': 'operator.options.host-taint-key',
    'gpu-taints': 'operator.options.gpu-taints',
    'simulated-nodes': 'operator.options.simulated-nodes',
    kubeconfig: ACCOUNT,
    'other-clusters-dir': 'clusters',
    'registry-url': 'registry.external.address',
    'object-store-url': 'models.s3.endpoint',
    'object-store-bucket': 'models.s3.bucket',
    'object-store-region': 'models.s3.region',
    'object-store-credentials-file': 'models.s3.existingSecret',
    'hub-url': 'models.hub',
    'engine-images': 'models.engineImages',
    'platform-key-file': 'platformKey.existingSecret',
    'administrator-file': 'administrator.existingSecret',
    'administrator-password-file': 'administrator.existingSecret',
    region: 'region',
    'region-label': 'regionLabel',
    billing: 'billing',
    'probe-image': 'image.probe',
    'metrics-host': CHART,
    'metrics-port': CHART,
    drain: CHART,
    'backup-bucket': 'backup.s3.bucket',
    'backup-endpoint': 'backup.s3.endpoint',
    'backup-region': 'backup.s3.region',
    'backup-prefix': 'backup.prefix',
    'backup-credentials-file': 'backup.s3.existingSecret',
    'backup-key-file': 'backup.existingSecret',
    'backup-schedule': 'backup.schedule',
    'backup-keep-days': 'backup.keepDays',
    from: RESTORE,
    'platform-key-secret': RESTORE,
    'into-existing': RESTORE,
  },
  operator: {
    'credit-gate': 'billing',
    'shared-pool': 'sharedPool',
    'agent-image': 'image.registry',
    'data-server-image': 'image.registry',
    'trainer-image': 'trainer.image',
    'probe-image': 'image.probe',
    'image-proxy': 'proxy.https',
    'service-url': 'urls.tenants',
    'ssh-door': 'door.address',
    'platform-key-file': 'platformKey.existingSecret',
    region: 'region',
    kubeconfig: ACCOUNT,
    'install-crds': 'crds.install',
    'health-host': CHART,
    'health-port': CHART,
    'leader-elect': CHART,
    'lease-namespace': CHART,
    'lease-name': CHART,
  },
};

/** The options that people write below `options`. */
export const freeOptions = (program: Program): OptionFacts[] =>
  FACTS[program].filter(({ flag }) => SAID_BY[program][flag] === undefined);

/** The schema of a program's options. Options that the chart sets itself pass here: templates/_refusals.tpl has a sentence for them. */
export function optionsSchema(program: Program, words: string) {
  const free = freeOptions(program).map((facts) => [facts.flag, schemaOf(facts)]);
  const said = Object.entries(SAID_BY[program]).map(([flag, by]) => [
    flag,
    z.unknown().meta({ description: `comes from ${by}` }),
  ]);
  return z
    .strictObject(Object.fromEntries([...free, ...said]) as Record<string, z.ZodType>)
    .partial()
    .default({})
    .meta({ description: words });
}

const FLAG = 'true,false';
/** Text that may have several lines. */
const PRINTED = /^(\P{Cc}|[\t\n\r])*$/u;

/** Numbers and booleans may stand without quotes, as people write them. */
function schemaOf({ words, choices }: OptionFacts): z.ZodType {
  const value =
    choices.length === 0
      ? z.union([z.string().regex(PRINTED), z.number()])
      : `${choices}` === FLAG
        ? z.union([z.boolean(), z.enum(choices)])
        : z.enum(choices);
  return value.meta({ description: words });
}
