// The web apps' phrases: whatever a person may read in one language is there in the others, and says the same things.
import { dirname } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesOf } from './source-files.ts';

const LANGUAGES = ['en', 'zh', 'ja'] as const;

interface Phrases {
  readonly [key: string]: string | Phrases;
}

const folders = [...new Set(filesOf('{ui,console,portal}/src/**/words/*.ts').map(dirname))].map(
  (folder) => `${folder}/{language}.ts`,
);
// The operators' console has a folder per language instead.
const ofStaff = filesOf('admin/src/words/en/*.ts').map((file) => file.replace('/en/', '/{language}/'));

const flat = (phrases: Phrases, prefix = ''): [string, string][] =>
  Object.entries(phrases).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  );

async function phrasesIn(file: string, language: string): Promise<Map<string, string>> {
  const { words } = (await import(`../../${file.replace('{language}', language)}`)) as { words: Phrases };
  return new Map(flat(words));
}

/** Each phrase of a folder in every language; `undefined` if it is missing. */
async function table(folder: string) {
  const found = await Promise.all(LANGUAGES.map((language) => phrasesIn(folder, language)));
  const keys = [...new Set(found.flatMap((phrases) => [...phrases.keys()]))];
  return keys.map((key) => ({ name: `${folder} ${key}`, said: found.map((phrases) => phrases.get(key)) }));
}

const tables = (await Promise.all([...folders, ...ofStaff].map(table))).flat();
const placeholders = (phrase: string) => [...new Set(phrase.match(/(?<=%\{)\w+(?=\})/g))].sort().join();

/** Names and spellings that are the same in every language. */
const NAMES: ReadonlySet<string> = new Set(
  `A API AM B CPU CSV CUDA Discord DOCX English Esc FAQ Gantry GB GGUF GiB Git GitHub GPU Hz HTTP HTTPS ID IP JSON Jupyter JupyterLab
  Kubernetes Lines LoRA MAC Markdown MB MiB NVIDIA OK OpenID Parquet PDF PM PyTorch QLoRA RAM S3 SafeTensors SHA SKU SSH Stripe TensorBoard TiB TOTP TSV TTL UID URL UTC Visa Mastercard Worker YAML
  cores ctrl Ctrl dev docker ed25519 exec file kB kubeconfig kubectl ls my name pip root rsa s scp sftp sshd ssh vCPU`.split(
    /\s+/,
  ),
);
const isOnlyNames = (phrase: string) =>
  (phrase.replace(/%\{\w+\}/g, ' ').match(/\p{L}[\p{L}\d]*/gu) ?? []).every((word) => NAMES.has(word));

test('each app has words', () => {
  expect(folders).toContain('ui/src/words/{language}.ts');
  expect(ofStaff.length).toBeGreaterThan(0);
});

test('words are in every language, under the same keys', () => {
  const missing = tables.flatMap(({ name, said }) =>
    LANGUAGES.filter((_, index) => (said[index] ?? '').trim() === '').map((language) => `${name}: ${language}`),
  );
  expect(missing).toEqual([]);
});

test('a phrase has the same %{placeholders} in every language', () => {
  const different = tables.filter(({ said }) => new Set(said.map((phrase) => placeholders(phrase ?? ''))).size > 1);
  expect(different.map(({ name }) => name)).toEqual([]);
});

test('English has one and many where it counts; the others have no plural', () => {
  const forms = (phrase = '') => phrase.split('||||').length;
  const wrong = tables.filter(({ said: [en, zh, ja] }) => forms(en) > 2 || forms(zh) > 1 || forms(ja) > 1);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** Their number is a constant above one. */
const NEVER_ONE = /FilesTooLong|DataTooLong|TooManyWrites|simulation_too_long|range_rule|monitor_window|lastDays/;

test('a number of hours, days or the like may be one', async () => {
  const files = filesOf('contract/src/words/en/*.ts', 'api/src/**/*notices.ts');
  const served = await Promise.all(
    files.map(async (file) => flat((await import(`../../${file}`)) as Phrases, `${file} `)),
  );
  const shown = tables.map(({ name, said: [en = ''] }) => [name, en] as const);
  const wrong = [...served.flat(), ...shown].filter(
    ([, text]) => /%\{\w+\} (seconds|minutes|hours|days|months|cycles)\b/.test(text) && !text.includes('||||'),
  );
  expect(wrong.map(([name]) => name).filter((name) => !NEVER_ONE.test(name))).toEqual([]);
});

test('no phrase was left in English', () => {
  const left = tables.flatMap(({ name, said: [en = '', ...others] }) =>
    others.includes(en) && !isOnlyNames(en) ? [`${name}: ${en}`] : [],
  );
  expect(left).toEqual([]);
});
