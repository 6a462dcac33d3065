// The gateway's configuration.
import { readFileSync } from 'node:fs';
import { MARKET_STOCK } from '@gantry/contract/areas/portal/stock-steps.ts';
import type { SettingName } from '@gantry/contract/areas/settings/admin-operation.ts';
import { moneyText, parseMoney } from '@gantry/contract/fields/money.ts';
import { hidesNothing } from '@gantry/contract/fields/plain-text.ts';
import { nextTimes } from '@gantry/contract/fields/schedule.ts';
import { ENGINE_IMAGES, type EngineImages } from '@gantry/contract/models/engine-images.ts';
import { REGISTRY } from '@gantry/contract/names.ts';
import {
  BadConfig,
  choice,
  duration,
  flag,
  type Keyed,
  keyedBy,
  labelValue,
  list,
  named,
  option,
  optionsHelp,
  port,
  readOptions,
  taintKey,
  taintKeys,
  type ValuesOf,
} from '@gantry/kube/options.ts';
import { POOL_RULES, SHARED_POOLS } from '@gantry/kube/placement.ts';
import * as z from 'zod';
import { picturePng } from './png.ts';

const text = z.string();
const url = z.union([z.literal(''), z.url()], 'must be a URL');

const ENGINE_IMAGE = new RegExp(`^(${ENGINE_IMAGES.join('|').replaceAll('.', '\\.')})=[^=\\s]+$`);
const engineImages = list
  .pipe(z.array(z.string().regex(ENGINE_IMAGE, 'must be such as vllm=vllm/vllm-openai:v0.26.0, joined by commas')))
  .transform((all) => Object.fromEntries(all.map((one) => one.split('='))) as EngineImages);
/** The target of a page's link: nothing, a web address, or a mailbox. */
const link = z.union(
  [z.literal(''), z.url({ protocol: /^https?$/ }), z.email()],
  'must be a web address (https://…) or an e-mail address',
);

/** One line that visitors read. */
const shownLine = (least: number, most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(least, 'must not be empty')
        .max(most, `must have at most ${most} characters`)
        .refine(hidesNothing, 'must be one line without hidden characters'),
    );

const LOGO_BYTES = 32 * 1024;
const LOGO_PIXELS = 1024;
const LOGO_START = 'data:image/png;base64,';
/** The picture of `--portal-logo`; undefined for none, and for what is no such picture. */
export function logoOf(text: string): Buffer | undefined {
  if (!text.startsWith(LOGO_START) || text.length > LOGO_START.length + 2 * LOGO_BYTES) return undefined;
  const bytes = Buffer.from(text.slice(LOGO_START.length), 'base64');
  return bytes.length <= LOGO_BYTES ? picturePng(bytes, LOGO_PIXELS) : undefined;
}

const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, 'must be an amount such as 100 or 12.50')
  .transform((text) => parseMoney(text));
/** A year, and a century: whatever is more is a slip, and leads beyond what dates and databases hold. */
const MOST_HOURS = 8_760;
const MOST_DAYS = 36_500;
const MOST_COUNT = 1_000_000;
const hours = list.pipe(
  z
    .array(
      z
        .string()
        .transform(Number)
        .pipe(
          z
            .number('must be hours')
            .positive('must be hours above zero')
            .max(MOST_HOURS, `must be at most ${MOST_HOURS}`),
        ),
    )
    .max(20),
);
const addresses = list.pipe(z.array(z.email('must be e-mail addresses').transform((one) => one.toLowerCase())).max(20));
const days = z.coerce
  .number('must be a number of days')
  .int('must be whole days')
  .min(0, 'must not be negative')
  .max(MOST_DAYS, `must be at most ${MOST_DAYS}`);

/** All options of a gateway; the chart has the same table. */
export const OPTIONS = {
  host: option(named, '127.0.0.1', 'address on which the API is served'),
  port: option(port, '8080', 'its port; 0 takes any that is free, which the log names'),
  tenantHost: option(named, '127.0.0.1', "address on which tenants' web content is served"),
  tenantPort: option(port, '8082', 'its port'),
  tenantDomain: option(
    text,
    '',
    "domain below which tenants' web content is; never the console's or below it; without it none is served",
  ),
  tenantPaths: option(
    flag,
    'false',
    "without a domain, serve tenants' web content below paths of one origin all the same: for trying out alone, tenants are not kept apart",
  ),
  serviceDomain: option(
    text,
    '',
    "domain below which published services are, as <service>.<organisation>.<domain>, on the listener of tenants' web content; else --tenant-domain",
  ),
  serviceNetwork: option(
    choice(['direct', 'proxy']),
    'direct',
    "how requests reach published services: straight to their Pods, or through the API server where Pods' addresses lead nowhere from here",
  ),
  prometheusUrl: option(
    url,
    '',
    'where Prometheus is: metrics, autoscaling by PromQL and alerts; without it none of them has data',
  ),
  prometheusTokenFile: option(text, '', 'file with the bearer token that it wants'),
  prometheusCaFile: option(text, '', 'file with the authority (PEM) that signed its certificate; else a public one'),
  prometheusCertFile: option(text, '', 'file with our certificate for it (PEM), where it wants one'),
  prometheusKeyFile: option(text, '', 'file with the key of that certificate'),
  kubernetesHost: option(
    named,
    '127.0.0.1',
    'address on which kubectl is served: the API server for holders of kubeconfigs',
  ),
  kubernetesPort: option(port, '8083', 'its port'),
  kubernetesUrl: option(
    z.url('must be a URL'),
    'https://localhost:8083',
    'where kubectl finds it, as kubeconfigs say; kubectl sends no token over plain HTTP',
  ),
  kubernetesTlsCertFile: option(text, '', 'file with its certificate and chain (PEM); without it an ingress ends TLS'),
  kubernetesTlsKeyFile: option(text, '', 'file with the key of that certificate'),
  kubernetesCaFile: option(
    text,
    '',
    'file with the authority (PEM) by which kubeconfigs know the certificate; else one that everybody trusts',
  ),
  publicUrl: option(
    url,
    'http://localhost:8080',
    "where browsers find the console: links in mails, a login's way back",
  ),
  consoleDir: option(text, '', 'folder of a built console, served beside the API; without it none is'),
  adminHost: option(named, '127.0.0.1', "address on which the operators' console is served, with the API beside it"),
  adminPort: option(port, '8084', 'its port; 0 takes any that is free, which the log names'),
  adminDir: option(text, '', "folder of a built operators' console; without it none is served"),
  adminUrl: option(url, 'http://localhost:8084', "where browsers find the operators' console"),
  portalHost: option(named, '127.0.0.1', 'address on which the public portal is served, with the API beside it'),
  portalPort: option(port, '8085', 'its port; 0 takes any that is free, which the log names'),
  portalDir: option(text, '', 'folder of a built portal; without it none is served'),
  portalUrl: option(url, 'http://localhost:8085', 'where browsers find the portal: canonical addresses, the sitemap'),
  portalName: option(shownLine(1, 40), 'Gantry', 'name of the installation on the portal, 1 to 40 characters'),
  portalLogo: option(
    z
      .string()
      .refine(
        (text) => text === '' || logoOf(text) !== undefined,
        'must be a PNG of at most 32 KiB and 1024 × 1024 pixels as a data URL (data:image/png;base64,…)',
      ),
    '',
    'logo on the portal: a PNG of at most 32 KiB and 1024 × 1024 pixels as a data URL; without it ours',
  ),
  portalAccent: option(
    z.string().regex(/^(#[0-9a-fA-F]{6})?$/, 'must be a colour such as #1a56db'),
    '',
    'colour of buttons and links on the portal, such as #1a56db, made lighter or darker until it can be read; without it ours',
  ),
  portalFooter: option(shownLine(0, 300), '', "line in the portal's footer, such as the company's name and address"),
  legalNumber: option(
    shownLine(0, 100),
    '',
    "number that the law wants in the portal's footer, such as that of an ICP filing",
  ),
  portalCounts: option(
    choice(['off', 'on']),
    'off',
    "whether views of the portal's pages are counted, by page, day and language: without addresses and cookies",
  ),
  staffSecondFactor: option(
    choice(['optional', 'required']),
    'optional',
    "whether staff need a second factor before any of the operators' calls",
  ),
  corsOrigins: option(list, '', 'origins of the web apps besides that of --public-url'),
  dataDir: option(text, '', 'folder of the embedded database'),
  databaseUrl: option(text, '', 'PostgreSQL instead of the embedded database: postgres://…'),
  vectorsUrl: option(
    text,
    '',
    'a PostgreSQL with pgvector 0.7 or newer, postgres://…, for knowledge bases of a million chunks and more; without it all vectors are compared, of a million chunks at most',
  ),
  databaseSizeGi: option(
    z.coerce
      .number('must be a number of Gi')
      .min(0, 'must not be negative')
      .max(MOST_COUNT * 1_000, `must be at most ${MOST_COUNT * 1_000}`),
    '0',
    'Gi that PostgreSQL has for the database: staff are told when nine tenths are in use; 0 where nobody says',
  ),
  sharedPool: option(
    choice(SHARED_POOLS),
    POOL_RULES.sharedPool,
    'how tenants share nodes, as the operator of the cluster has it',
  ),
  hostTaintKey: option(
    taintKey,
    POOL_RULES.hostTaintKey,
    'key of the taint that keeps strangers off the nodes of a host, as the operator has it',
  ),
  gpuTaints: option(
    taintKeys,
    POOL_RULES.gpuTaints.join(','),
    'keys of taints that whatever asks for a GPU tolerates, joined by commas, as the operator has them',
  ),
  simulatedNodes: option(flag, 'false', 'whether instances run on simulated (KWOK) nodes, as the operator has it'),
  kubeconfig: option(text, '', 'a kubeconfig; else KUBECONFIG, ~/.kube/config, or the account of our own Pod'),
  otherClustersDir: option(
    text,
    '',
    'folder of other clusters of the platform: in a folder named by its region each has a kubeconfig and perhaps a label, as people see it; their regions and stock are shown, and where a file `places` says `instances`, those are placed there',
  ),
  registryUrl: option(
    url,
    '',
    'where the registry is, with the logs of runs that have ended; without it none are shown',
  ),
  objectStoreUrl: option(
    url,
    '',
    'the S3 store for the files of models: https://…; without it no model can be uploaded or fetched',
  ),
  objectStoreBucket: option(named, 'gantry', 'its bucket, which is made if it is missing'),
  objectStoreRegion: option(named, 'us-east-1', 'its region'),
  objectStoreCredentialsFile: option(
    text,
    '',
    "file of two lines, the access key's id and the secret, or folder of two files, accessKey and secretKey",
  ),
  hubUrl: option(
    url,
    'https://huggingface.co',
    'the hub that models are fetched from, or a mirror of it (HF_ENDPOINT elsewhere); empty for none',
  ),
  engineImages: option(
    engineImages,
    '',
    'images of engines in place of this release’s, such as vllm=vllm/vllm-openai:v0.26.0, joined by commas; llama.cpp-gpu=IMAGE lets llama.cpp have GPUs, where llama-server is in the PATH of a build with CUDA; a deployment takes another one with its next change',
  ),
  modelOrigins: option(
    list,
    '',
    'origins, such as https://app.example, whose pages may call /v1 with an API token; * for every one, empty for none but ours',
  ),
  platformKeyFile: option(text, '', 'file of 32 or more random bytes that passwords of the platform derive from'),
  administratorFile: option(
    text,
    '',
    'file to which the first start writes the name and one-time password of the administrator; else standard error has them',
  ),
  administratorPasswordFile: option(
    text,
    '',
    'file with the one-time password of that administrator; else the first start makes one up',
  ),
  preset: option(
    choice(['none', 'app-store']),
    'none',
    'app-store sets --market=overseas, --billing-unit=$, --register-type=email and --payment-channels=card',
  ),
  market: option(choice(['domestic', 'overseas']), 'overseas', 'which market the installation is for'),
  region: option(labelValue, 'us-east', "data centre of this cluster, as the operator's --region"),
  regionLabel: option(named, 'US East Washington', 'what people see of it'),
  billingUnit: option(named, '$', 'sign before an amount'),
  currency: option(named, 'USD', 'ISO 4217; fixed per organisation when it is made'),
  registerType: option(choice(['email', 'phone']), 'email', 'what a person registers by'),
  consoleVariant: option(choice(['full', 'account']), 'full', 'the whole console, or account and billing alone'),
  paymentChannels: option(
    list,
    'card,wallet_a,wallet_b,domestic_card,bank_transfer',
    'what can be paid by; of these, what has its keys or its account',
  ),
  rechargeLimits: option(
    list.pipe(z.array(z.string().regex(/^[A-Z]{3}:[\d.]+-[\d.]+$/, 'must be ranges such as USD:1-10000'))),
    'USD:1-10000,EUR:1-10000,CNY:10-100000,JPY:100-1500000',
    'from how much to how much may be paid in at once; in another currency nothing can',
  ),
  approvalAbove: option(
    list.pipe(z.array(z.string().regex(/^[A-Z]{3}:\d{1,9}(\.\d{1,2})?$/, 'must be amounts such as USD:1000'))),
    '',
    'above which amounts, one per currency, what staff give an organisation needs the approval of a second person, and so does whatever has no amount: discounts, lower prices, plans; for an own organisation, and where another amount than the announced one is confirmed, it always does',
  ),
  stripeKeyFile: option(text, '', 'file with our secret key at Stripe; without it cards cannot be paid by'),
  stripeWebhookSecretFile: option(
    text,
    '',
    "file with the secret of Stripe's webhooks; several lines while it changes",
  ),
  stripePublishableKey: option(text, '', 'our key at Stripe that pages have'),
  stripeJsUrl: option(
    z.url('must be a URL'),
    'https://js.stripe.com/v3/',
    "its script for pages, which makes the card's form; pages load no other",
  ),
  stripeUrl: option(url, '', 'where Stripe is; else at its own address. For a double, with which no money moves'),
  walletAUrl: option(url, '', 'the payment network, or the bridge to it, behind mobile wallet A'),
  walletAMerchant: option(text, '', 'who we are there'),
  walletAKeyFile: option(
    text,
    '',
    'file with the secret that both have, or with our private and their public key as PEM',
  ),
  walletBUrl: option(url, '', 'the same of mobile wallet B'),
  walletBMerchant: option(text, '', 'who we are there'),
  walletBKeyFile: option(text, '', 'file with its keys'),
  domesticCardUrl: option(url, '', 'the same of the domestic card network'),
  domesticCardMerchant: option(text, '', 'who we are there'),
  domesticCardKeyFile: option(text, '', 'file with its keys'),
  bankAccount: option(text, '', 'where to transfer money, as people are shown it; without it no transfer is offered'),
  issuerName: option(text, '', 'legal name of who issues the invoices; it, the address and the tax id stand on each'),
  issuerAddress: option(text, '', 'its address'),
  issuerTaxId: option(text, '', 'its tax id'),
  billing: option(
    choice(['on', 'off']),
    'on',
    "whether use is metered and credit reserved: as the operator's --credit-gate; `off` lets everything through, and what was billed before be deleted",
  ),
  welcomeCredit: option(amount, '100', 'credits for each person who is verified, once'),
  ownedOrganizations: option(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MOST_COUNT, `must be at most ${MOST_COUNT}`),
    '10',
    'organisations that one account may own, its personal one among them',
  ),
  adoptedCredit: option(amount, '0', 'credits for each organisation that staff made by kubectl: for trying out'),
  holdAhead: option(duration, '1h', 'for how long ahead credit is reserved for what costs by the hour'),
  lowBalanceHours: option(hours, '24,3', 'people are told when what they have lasts for so many hours'),
  keepDataDays: option(
    days,
    '30',
    'days for which data are kept without credit, counted from when it ran out; 0 keeps them for ever',
  ),
  gpuFaultsDrain: option(
    z.enum(['off', 'cordon', 'drain'], 'must be off, cordon or drain'),
    'off',
    'what becomes of a node with a fatal GPU error: left to staff, closed for new work, or emptied as well',
  ),
  marketStock: option(
    choice(MARKET_STOCK),
    'exact',
    'how visitors are told what is free on the market: exact counts, or steps (none, few, some, many)',
  ),
  alarmAddresses: option(addresses, '', 'e-mail addresses that hear of alarms of the platform; none: its staff'),
  contact: option(link, '', 'link: contact us'),
  docs: option(link, '', 'link: documentation'),
  support: option(link, '', 'link: support'),
  community: option(link, '', 'link: community chat'),
  termsVersion: option(named, '1', 'version of the terms that whoever registers accepts'),
  smtpUrl: option(text, '', 'mail server: smtp://user:password@host:port; without it no mail is sent'),
  mailFrom: option(named, 'Gantry <no-reply@localhost>', 'sender of mails'),
  smsUrl: option(url, '', 'adapter that sends text messages; without it none is sent'),
  smsKeyFile: option(text, '', 'file with the key that signs requests to it'),
  smsAllowInner: option(flag, 'false', 'whether the adapter may be at an inner address'),
  alertsAllowInner: option(flag, 'false', 'whether webhooks of alerts may go to inner addresses'),
  realNameUrl: option(url, '', 'adapter that checks real names; without it auditors look at all of them'),
  realNameKeyFile: option(text, '', 'file with the key that signs requests to it'),
  realNameAllowInner: option(flag, 'false', 'whether the adapter may be at an inner address'),
  realNameReviewHours: option(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MOST_HOURS, `must be at most ${MOST_HOURS}`),
    '24',
    'hours that a review of a real name usually takes at most, as people are told',
  ),
  realNameReviewers: option(choice(['1', '2']), '1', 'how many people must approve a real name; a rejection needs one'),
  oidcIssuer: option(url, '', 'OpenID Connect provider for third-party login'),
  oidcName: option(named, 'OpenID', 'what people see of it'),
  oidcClientId: option(text, '', 'our id there'),
  oidcClientSecretFile: option(text, '', 'file with our secret there'),
  trustedProxies: option(list, '', 'proxies whose X-Forwarded-For is believed'),
  requestsPerMinute: option(
    z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(MOST_COUNT, `must be at most ${MOST_COUNT}`),
    '600',
    'requests of one session, or of one address without one',
  ),
  probeImage: option(
    named,
    `${REGISTRY}/official/busybox:1.36`,
    'image with sh and nc for the throw-away Pods of `doctor`',
  ),
  metricsHost: option(named, '127.0.0.1', 'address on which /metrics is served, apart from the API'),
  metricsPort: option(port, '0', 'its port; 0 takes any that is free, which the log names'),
  terminalKeep: option(duration, '15m', 'how long a session of the browser terminal stays while no page shows it'),
  drainMs: option(
    duration,
    '0s',
    'how long a gateway that was told to stop still answers, ending each connection, until whoever sends it requests has learned of it',
  ),
  answerLimitMs: option(duration, '30s', 'how long an ordinary call may take'),
  auditLines: option(
    flag,
    'false',
    'whether each entry of the audit log is a line of the log, too, for a collector elsewhere; they name people and addresses',
  ),
  backupBucket: option(
    z.union([z.literal(''), z.string().regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)], {
      error: 'must be 3 to 63 lower-case letters, digits, dots and hyphens, as S3 names buckets',
    }),
    '',
    'S3 bucket for backups; without it none are made by themselves',
  ),
  backupEndpoint: option(
    z.union([z.literal(''), z.url({ protocol: /^https?$/ })], 'must be a web address (https://…)'),
    '',
    "where that S3 is; else Amazon's own",
  ),
  backupRegion: option(named, 'us-east-1', 'its region; most other stores take any'),
  backupPrefix: option(
    z
      .string()
      .regex(
        /^([A-Za-z0-9._-]+\/)*$/,
        'must be folders of letters, digits, dots, _ and -, each with a slash behind it',
      ),
    '',
    'what the names of objects in the bucket begin with, such as gantry/',
  ),
  backupCredentialsFile: option(
    text,
    '',
    "file or folder of its keys, as --object-store-credentials-file; else where Amazon's clients look for them by themselves",
  ),
  backupKeyFile: option(
    text,
    '',
    'file with the key or passphrase that backups are sealed with: one line, and below it those of before, which still open; without it no backup can be read, so keep it elsewhere too',
  ),
  backupSchedule: option(
    z
      .string()
      .refine(
        (cron) => cron === '' || nextTimes({ cron, timeZone: 'UTC' }, 0, 1)?.length === 1,
        'must be a time in the five fields of cron, such as "17 2 * * *" for every day at 02:17 (UTC), or empty for none',
      ),
    '17 2 * * *',
    'when backups are made, in UTC; empty: only by command',
  ),
  backupKeepDays: option(days, '30', 'days after which a backup is removed, but for the newest three; 0 keeps all'),
  from: option(text, 'latest', 'restore: which backup: its id in the bucket, latest, or a file (with a / in its name)'),
  platformKeySecret: option(
    text,
    '',
    "restore: a Secret of gantry-system that is there, into whose `key` the platform's key is written, where --platform-key-file is empty",
  ),
  intoExisting: option(
    flag,
    'false',
    'restore: whether tables that have rows are replaced, and objects that are there left as they are',
  ),
  logLevel: option(choice(['trace', 'debug', 'info', 'warn', 'error']), 'info', 'least level that is logged'),
} as const;

const pick = <Table extends object, Name extends keyof Table>(table: Table, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>;

/** Options that staff may change while the platform runs, by the names that they have there. */
const CHANGEABLE = {
  contact: 'contact',
  docs: 'docs',
  support: 'support',
  community: 'community',
  'welcome-credit': 'welcomeCredit',
  'recharge-limits': 'rechargeLimits',
  'real-name-review-hours': 'realNameReviewHours',
  'low-balance-hours': 'lowBalanceHours',
  'keep-data-days': 'keepDataDays',
  'alarm-addresses': 'alarmAddresses',
  'market-stock': 'marketStock',
  'portal-name': 'portalName',
  'portal-logo': 'portalLogo',
  'portal-accent': 'portalAccent',
  'portal-footer': 'portalFooter',
  'legal-number': 'legalNumber',
  'portal-counts': 'portalCounts',
} as const satisfies Record<SettingName, keyof typeof OPTIONS>;
export type ChangeableConfig = Pick<Config, (typeof CHANGEABLE)[SettingName]>;

export const changeableOf = (config: Config): ChangeableConfig =>
  Object.fromEntries(Object.values(CHANGEABLE).map((name) => [name, config[name]])) as unknown as ChangeableConfig;

/** All but pictures. */
const MOST_SETTING = 1_000;

/** The text of a setting by the rule of its option; undefined if it breaks that. */
export function readChangeable(setting: SettingName, text: string): Partial<ChangeableConfig> | undefined {
  const name = CHANGEABLE[setting];
  if (text.length > MOST_SETTING && name !== 'portalLogo') return undefined;
  const parsed = OPTIONS[name].schema.safeParse(text);
  return parsed.success ? { [name]: parsed.data } : undefined;
}

/** A setting as its option would be written. */
export function changeableText(config: ChangeableConfig, setting: SettingName): string {
  const value = config[CHANGEABLE[setting]];
  if (typeof value === 'bigint') return moneyText(value);
  return Array.isArray(value) ? value.join(',') : `${value}`;
}

/** The settings that a preset decides, whatever the options say. */
const PRESETS: Record<'none' | 'app-store', Partial<ValuesOf<typeof OPTIONS>>> = {
  none: {},
  'app-store': {
    market: 'overseas',
    billingUnit: '$',
    currency: 'USD',
    registerType: 'email',
    paymentChannels: ['card'],
  },
};

/** Durations are milliseconds. */
export type Config = ValuesOf<typeof OPTIONS> & { keyed: Keyed };

/** Gives 'help' when asked for it. Throws BadConfig. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { needsKey = true } = {},
): Config | 'help' {
  // Everybody's name for it.
  const { DATABASE_URL } = environment;
  const values = readOptions(OPTIONS, args, {
    ...(DATABASE_URL !== undefined && { GANTRY_DATABASE_URL: DATABASE_URL }),
    ...environment,
  });
  if (values === 'help') return 'help';
  if (!values.databaseUrl && !values.dataDir) {
    throw new BadConfig('--data-dir: must name a folder for the embedded database, where no --database-url is given');
  }
  if ((values.kubernetesTlsCertFile === '') !== (values.kubernetesTlsKeyFile === '')) {
    throw new BadConfig('--kubernetes-tls-cert-file: goes with --kubernetes-tls-key-file');
  }
  if ((values.prometheusCertFile === '') !== (values.prometheusKeyFile === '')) {
    throw new BadConfig('--prometheus-cert-file: goes with --prometheus-key-file');
  }
  if (values.backupBucket !== '' && values.backupKeyFile === '') {
    throw new BadConfig(
      '--backup-key-file: must name the file of the key that backups in --backup-bucket are sealed with',
    );
  }
  const keyed = needsKey ? keyedBy(values.platformKeyFile) : (text: string) => keyedBy(values.platformKeyFile)(text);
  return { ...values, ...PRESETS[values.preset], keyed };
}

/** The options of `doctor`: before an install there is neither a key nor a database. */
const DOCTOR_OPTIONS = {
  ...pick(OPTIONS, [
    'kubeconfig',
    'databaseUrl',
    'dataDir',
    'vectorsUrl',
    'smtpUrl',
    'prometheusUrl',
    'prometheusTokenFile',
    'prometheusCaFile',
    'prometheusCertFile',
    'prometheusKeyFile',
    'probeImage',
  ]),
  beforeInstall: option(flag, 'false', 'check what an install needs, on a cluster that may lack everything of ours'),
  json: option(flag, 'false', 'print one JSON document instead of a table'),
} as const;
export type DoctorConfig = ValuesOf<typeof DOCTOR_OPTIONS>;
/** They are said without a value. */
const SAID_ALONE = /^--(before-install|json)$/;

/** Gives 'help' when asked for it. Throws BadConfig. */
export function readDoctorConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): DoctorConfig | 'help' {
  return readOptions(
    DOCTOR_OPTIONS,
    args.map((arg) => arg.replace(SAID_ALONE, '$&=true')),
    { GANTRY_DATABASE_URL: environment.DATABASE_URL, ...environment },
  );
}

export const doctorHelpText = (): string =>
  optionsHelp(
    'gantry doctor: checks the cluster. Exit code 0: all is well; 1: warnings, or checks that could not tell; 2: problems.',
    DOCTOR_OPTIONS,
  );

export const helpText = (): string =>
  optionsHelp(
    'Gantry gateway: people, organisations and every kind over /api. Before the flags may stand what else it does: backup, backup <file>, restore, backups list, backups verify, audit verify, books verify, doctor.',
    OPTIONS,
  );

/** The content of a file, without the trailing newline. Throws BadConfig; returns '' if no file is given. */
export function readText(file: string): string {
  if (file === '') return '';
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (error) {
    throw new BadConfig(`"${file}" cannot be read: ${(error as Error).message}`);
  }
}
