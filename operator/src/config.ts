// The operator's configuration: one table, from which flags, environment, checks and --help follow. A flag wins over the
// environment. Whatever is wrong is said in one sentence that names the option and the rule.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PLATFORM_NAMESPACE, REGISTRY } from '@gantry/contract/names.ts';
import * as z from 'zod';

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `15m`, `1h`; gives milliseconds. */
const duration = z
  .string()
  .regex(/^[0-9]+(ms|s|m|h)$/, 'must be a number and a unit, such as 500ms, 90s, 15m or 1h')
  .transform((text) => Number.parseInt(text, 10) * (UNIT_MS[text.replace(/[0-9]+/, '')] as number));
const named = z.string().min(1, 'must not be empty');
const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
const port = z.coerce
  .number('must be a port')
  .int('must be a port')
  .min(0, 'must be a port')
  .max(65535, 'must be a port');
const choice = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const cidr = z.union([z.cidrv4(), z.cidrv6()], 'must be networks such as 10.0.0.0/8, joined by commas');
const cidrs = z
  .string()
  .transform((text) => text.split(',').filter((part) => part !== ''))
  .pipe(z.array(cidr));
const hostAndPort = z
  .string()
  .regex(/^$|^[a-z0-9]([-a-z0-9.]*[a-z0-9])?:[0-9]{1,5}$/, 'must be a host and a port such as ssh.example.org:22');
const wholeNumber = z.coerce
  .number('must be a whole number')
  .int('must be a whole number')
  .min(1, 'must be at least 1');

interface Option<Schema extends z.ZodType> {
  default: string;
  schema: Schema;
  words: string;
}
const option = <Schema extends z.ZodType>(schema: Schema, byDefault: string, words: string): Option<Schema> => ({
  default: byDefault,
  schema,
  words,
});

/** What plans are given. */
const SETTINGS = {
  creditGate: option(choice(['required', 'off']), 'required', 'whether whatever costs waits for credit to be reserved'),
  sharedPool: option(
    choice(['exclusive', 'sandboxed', 'open']),
    'exclusive',
    'how tenants share nodes: one at a time, under a sandboxing runtime, or freely',
  ),
  agentImage: option(named, `${REGISTRY}/official/agent:1`, 'image of the agent put into instances'),
  createTimeoutMs: option(duration, '15m', 'how long an instance that has a place may take to be ready'),
  allowedCidrs: option(cidrs, '', 'networks that instances may reach besides the internet and their own organisation'),
  clusterCidrs: option(
    cidrs,
    '',
    'Pod, Service and node networks to close to instances, where they are public addresses',
  ),
  dnsCidrs: option(cidrs, '', 'where instances may ask for names, besides the Pods labelled kube-dns'),
  probeImage: option(named, `${REGISTRY}/official/busybox:1.36`, 'image with sh and nc that tries out isolation'),
  probeEveryMs: option(duration, '10m', "how often an organisation's isolation is tried out"),
  hostTaintKey: option(named, 'gantry.dev/host', 'key of the taint that keeps strangers off the nodes of a host'),
  sshDoor: option(hostAndPort, '', 'where tenants reach the SSH door; none when empty'),
  simulatedNodes: option(flag, 'false', 'let instances run on simulated (KWOK) nodes too'),
} as const;

/** What the process itself needs. */
const PROCESS = {
  platformKeyFile: option(z.string(), '', 'file of 32 or more random bytes that passwords of the platform derive from'),
  kubeconfig: option(z.string(), '', 'a kubeconfig; else KUBECONFIG, ~/.kube/config, or the account of our own Pod'),
  healthHost: option(named, '127.0.0.1', 'address on which /healthz, /readyz and /metrics are served'),
  healthPort: option(port, '8081', 'their port'),
  leaderElect: option(flag, 'true', 'wait for the Lease before working; false only where no second operator can be'),
  leaseNamespace: option(named, PLATFORM_NAMESPACE, "the Lease's namespace"),
  leaseName: option(named, 'gantry-operator', "the Lease's name"),
  workers: option(wholeNumber, '16', 'objects of one kind worked on at once'),
  resyncMs: option(duration, '10m', 'how often every object is looked at again; SIGUSR2 does it at once'),
  logLevel: option(choice(['trace', 'debug', 'info', 'warn', 'error']), 'info', 'least level that is logged'),
} as const;

const OPTIONS = { ...SETTINGS, ...PROCESS };
type Name = keyof typeof OPTIONS;
type Values<Table extends Record<string, Option<z.ZodType>>> = { [K in keyof Table]: z.output<Table[K]['schema']> };

/** Durations are milliseconds. */
export type Settings = Values<typeof SETTINGS> & {
  /** A secret of the platform's that belongs to this text: nothing has to keep it, and it is the same after a restart. */
  keyed(text: string): string;
};
export type Config = Values<typeof PROCESS> & { settings: Settings };

/** A sentence for the person who started the operator. */
export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

/** A unit belongs to the value here, so the option's name goes without: createTimeoutMs, --create-timeout=15m. */
const flagOf = (name: string): string =>
  name.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const variableOf = (name: string): string => `GANTRY_${flagOf(name).replaceAll('-', '_').toUpperCase()}`;
const NAMES = Object.keys(OPTIONS) as Name[];

/** Gives 'help' when asked for it. Throws BadConfig. */
export function readConfig(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Config | 'help' {
  const given = readFlags(args);
  if (given.help) return 'help';
  const values = Object.fromEntries(
    NAMES.map((name) => {
      const text = given[flagOf(name)] ?? environment[variableOf(name)] ?? OPTIONS[name].default;
      const parsed = OPTIONS[name].schema.safeParse(text);
      if (parsed.success) return [name, parsed.data];
      const where = given[flagOf(name)] === undefined ? variableOf(name) : `--${flagOf(name)}`;
      throw new BadConfig(`${where}: "${text}" ${parsed.error.issues[0]?.message}`);
    }),
  ) as Values<typeof OPTIONS>;
  const settings = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, values[name as Name]]));
  return { ...values, settings: { ...settings, keyed: keyedBy(values.platformKeyFile) } as Settings };
}

const KEY_BYTES = 32;

/** Hexadecimal HMAC-SHA256 of a text by the key in this file. */
function keyedBy(file: string): Settings['keyed'] {
  const key = readKey(file);
  if (key.length < KEY_BYTES) {
    throw new BadConfig(`--platform-key-file: "${file}" holds ${key.length} bytes, fewer than ${KEY_BYTES}`);
  }
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}

function readKey(file: string): Buffer {
  if (file === '') throw new BadConfig(`--platform-key-file: must name a file of ${KEY_BYTES} or more random bytes`);
  try {
    return readFileSync(file);
  } catch (error) {
    throw new BadConfig(`--platform-key-file: "${file}" can not be read: ${(error as Error).message}`);
  }
}

function readFlags(args: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(NAMES.map((name) => [flagOf(name), { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...options, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw new BadConfig(`${(error as Error).message.split('. ')[0]}; --help lists the options`);
  }
}

/** The table of --help. */
export function helpText(): string {
  const rows = NAMES.map((name) => {
    const { default: byDefault, words } = OPTIONS[name];
    return [`--${flagOf(name)}`, variableOf(name), byDefault || '(none)', words] as const;
  });
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return ['Gantry operator: reconciles every kind of gantry.dev.', '', ...lines, ''].join('\n');
}
