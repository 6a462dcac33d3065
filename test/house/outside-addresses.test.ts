// The product reaches nothing outside that security/outside.md does not name, with the setting that closes it.
import { expect, test } from '@jest/globals';
import { filesOf, read } from './source-files.ts';

const PAPER = 'security/outside.md';
/** The shipped files: sources, pages, the chart. */
const SHIPPED = [
  '{contract,kube,operator,api}/src/**/*.ts',
  '{ui,console,admin,portal}/**/*.{ts,tsx,css,html}',
  'agent/**/*.go',
  'charts/gantry/{templates/*,files/*,values.yaml}',
];
const IS_TEST = /\.test\.|_test\.go$|\/testing\//;
/** With a scheme; and registries and stores, which are named without one. */
const NAMES = [
  /\b(?:https?|wss?):\/\/(?:[a-z0-9-]+@)?([a-z0-9.-]+\.[a-z]{2,})/gi,
  /\b((?:ghcr|docker|quay|gcr)\.io|registry\.k8s\.io|amazonaws\.com)\b/gi,
];
/** Reserved for examples, or inside of a cluster. */
const NOBODYS = /(^|\.)(example(\.(org|net|com))?|invalid|test|localhost|local|internal|svc)$/;

const rows = [...read(PAPER).matchAll(/^\| `([^`]+)` \|(.*)$/gm)].map(([, name = '', rest = '']) => ({ name, rest }));
const isOf = (host: string, name: string) => host === name || host.endsWith(`.${name}`);

const hostsOf = (text: string): string[] =>
  NAMES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, host = '']) => host.toLowerCase())).filter(
    (host) => !NOBODYS.test(host),
  );

const found = filesOf(...SHIPPED)
  .filter((file) => !IS_TEST.test(file))
  .flatMap((file) => hostsOf(read(file)).map((host) => ({ file, host })));

test('whatever the sources name outside is in the paper', () => {
  const unnamed = found.filter(({ host }) => !rows.some(({ name }) => isOf(host, name)));
  expect(unnamed).toEqual([]);
});

test('the paper names nothing that is gone', () => {
  expect(rows.filter(({ name }) => !found.some(({ host }) => isOf(host, name)))).toEqual([]);
});

test('what closes an address is a value of the chart or an option', () => {
  const known = read('charts/gantry/VALUES.md');
  const options = `${read('api/src/platform/config.ts')}${read('operator/src/config.ts')}`;
  const settings = rows.flatMap(({ rest }) => [...rest.matchAll(/`([^`]+)`/g)].map(([, setting = '']) => setting));
  const isKnown = (setting: string) =>
    setting.startsWith('--')
      ? options.includes(`${setting.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}: option`)
      : known.includes(`\`${setting}\``);
  expect(settings.length).toBeGreaterThan(0);
  expect(settings.filter((setting) => !isKnown(setting))).toEqual([]);
});

test('a name is found wherever it stands', () => {
  expect(hostsOf("fetch('https://cdn.other.com/x')")).toEqual(['cdn.other.com']);
  expect(hostsOf('image: quay.io/other:1')).toEqual(['quay.io']);
  expect(hostsOf('see https://docs.example.org and http://console.svc')).toEqual([]);
});
