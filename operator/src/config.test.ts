import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { helpText, readConfig } from './config.ts';

/** Any file that is long enough. */
const KEY = 'package.json';

const read = (args: string[], environment = {}) => {
  const config = readConfig([`--platform-key-file=${KEY}`, ...args], environment);
  if (config === 'help') throw new Error('help was asked for');
  return config;
};

test('without any word it is set up for real tenants', () => {
  const { settings, leaderElect, workers, resyncMs } = read([]);
  expect(settings).toMatchObject({
    creditGate: 'required',
    sharedPool: 'exclusive',
    createTimeoutMs: 900_000,
    allowedCidrs: [],
    allowedRegistries: [],
    sshDoor: '',
    simulatedNodes: false,
  });
  expect([leaderElect, workers, resyncMs]).toEqual([true, 16, 600_000]);
});

test('a flag wins over the environment, which wins over the default', () => {
  const environment = { GANTRY_CREDIT_GATE: 'off', GANTRY_CREATE_TIMEOUT: '90s' };
  const { settings } = read(
    [
      '--create-timeout=2h',
      '--allowed-cidrs=10.0.0.0/8,fd00::/8',
      '--allowed-registries=10.1.2.3:5000,registry.corp.internal',
      '--gpu-taints=nvidia.com/gpu, dedicated',
    ],
    environment,
  );
  expect(settings).toMatchObject({
    creditGate: 'off',
    createTimeoutMs: 7_200_000,
    allowedCidrs: ['10.0.0.0/8', 'fd00::/8'],
    allowedRegistries: ['10.1.2.3:5000', 'registry.corp.internal'],
    gpuTaints: ['nvidia.com/gpu', 'dedicated'],
  });
});

test.each([
  [['--credit-gate=maybe'], {}, '--credit-gate: "maybe" must be one of required, off'],
  [['--create-timeout=15'], {}, '--create-timeout: "15" must be a number and a unit, such as 500ms, 90s, 15m or 1h'],
  [['--workers=0'], {}, '--workers: "0" must be at least 1'],
  [['--workers=many'], {}, '--workers: "many" must be a whole number'],
  [['--health-port=70000'], {}, '--health-port: "70000" must be a port'],
  [['--simulated-nodes=yes'], {}, '--simulated-nodes: "yes" must be true or false'],
  [
    ['--allowed-registries=http://x'],
    {},
    '--allowed-registries: "http://x" must be registries such as registry.corp.internal:5000',
  ],
  [['--allowed-cidrs=10.0.0.0/8,here'], {}, '--allowed-cidrs: "10.0.0.0/8,here" must be networks such as 10.0.0.0/8'],
  [['--host-taint-key=a b'], {}, '--host-taint-key: "a b" must be a key of a taint such as nvidia.com/gpu'],
  [
    ['--gpu-taints=nvidia.com/gpu=present:NoSchedule'],
    {},
    '--gpu-taints: "nvidia.com/gpu=present:NoSchedule" must be a key of a taint such as nvidia.com/gpu',
  ],
  [[], { GANTRY_LOG_LEVEL: 'loud' }, 'GANTRY_LOG_LEVEL: "loud" must be one of trace, debug, info, warn, error'],
  [
    ['--image-proxy=http://me:secret@proxy:3128'],
    {},
    '--image-proxy: "http://me:secret@proxy:3128" must be a scheme, a host and perhaps a port such as http://proxy.example.org:3128, without a password',
  ],
  [['--agent-image='], {}, '--agent-image: "" must not be empty'],
  [['--colour=red'], {}, "Unknown option '--colour'; --help lists the options"],
])('%j %j: %s', (args, environment, sentence) => {
  expect(() => readConfig(args, environment)).toThrow(sentence);
});

test.each([
  [[], {}, '--platform-key-file: must name a file of 32 or more random bytes'],
  [[], { GANTRY_PLATFORM_KEY_FILE: '/absent' }, '--platform-key-file: "/absent" cannot be read: ENOENT'],
  [['--platform-key-file=/dev/null'], {}, '--platform-key-file: "/dev/null" holds 0 bytes, fewer than 32'],
])('%j %j: %s', (args, environment, sentence) => {
  expect(() => readConfig(args, environment)).toThrow(sentence);
});

test('a keyed digest is the HMAC of a text with the whole key file', () => {
  const wanted = createHmac('sha256', readFileSync(KEY)).update('registry-pull/uid').digest('hex');
  expect(read([]).settings.keyed('registry-pull/uid')).toBe(wanted);
});

test('--help lists every option with its variable and default', () => {
  expect(readConfig(['--help'], {})).toBe('help');
  expect(helpText()).toMatch(/^--create-timeout +GANTRY_CREATE_TIMEOUT +15m +how long/m);
});
