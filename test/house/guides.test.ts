// The help articles that come with the product say what is true: each manifest is one that its kind takes, each call one that a route takes,
// each command names what is there, each button stands in the console in that language, and all three languages show the same blocks.
import { execFileSync } from 'node:child_process';
import { ALERT_METRIC_NAMES } from '@gantry/contract/alerts/metrics.ts';
import { API_VERSION, type KindFacts } from '@gantry/contract/define-kind.ts';
import { IMAGE_SOURCE } from '@gantry/contract/fields/image-source.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { changeBody, creationBody } from '@gantry/contract/http/kind-bodies.ts';
import { openapiDocument } from '@gantry/contract/http/openapi.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import * as z from 'zod';
import { Figures } from '../../api/src/areas/portal/figures.ts';
import { guideFile, guideSlugs, readGuides } from '../../api/src/areas/portal/guides.ts';
import { slug as slugField } from '../../contract/src/areas/portal/admin-portal.ts';
import { allBlocks, blocksOf, CHECKS, type GuideBlock } from '../support/guide-blocks.ts';
import { filesOf, read } from './source-files.ts';

const CONSOLE = 'https://console.example.org';
const IMAGE = 'registry.example.org/official/busybox:1.36';
const figures = new Figures({
  prices: { offer: () => ({ hour: null, month: null }) },
  console: CONSOLE,
  images: () => [IMAGE],
  market: () => [{ id: 'Tesla-T4', hour: '0.50' }],
});
const filled = (text: string) => figures.filled(text, 'en');
const blocks: GuideBlock[] = allBlocks().map((block) => ({ ...block, text: filled(block.text) }));
const SLUGS = guideSlugs();
const of = (language: string) => blocks.filter((block) => block.language === language);
const titleOf = ({ slug, language, check, text }: GuideBlock) =>
  [slug, language, check, text.split('\n')[0]?.slice(0, 60)] as const;
const kinds: readonly KindFacts[] = Object.values(KINDS);

describe.each(SLUGS)('the article %s', (slug) => {
  test('has one place, and a title and a summary in each language', () => {
    expect(slugField.safeParse(slug).success).toBe(true);
    const fronts = LANGUAGES.map((language) => guideFile(slug, language).front);
    expect(new Set(fronts.map(({ order }) => order)).size).toBe(1);
    expect(new Set(fronts.map(({ title, summary }) => `${title} ${summary}`)).size).toBe(
      new Set(fronts.map(({ summary }) => summary)).size,
    );
  });
  test('has the same blocks in each language, which say how they are checked', () => {
    const [english, ...others] = LANGUAGES.map((language) => blocksOf(slug, language));
    for (const other of others) expect(other).toEqual(english);
    const unknown = (english ?? []).filter(
      ({ language, check }) =>
        !CHECKS.has(`${language} ${check}`) && !(language === 'yaml' && /^[a-z]+\.yaml$/.test(check)),
    );
    expect(unknown).toEqual([]);
  });
  test('has the same headings, lists and tables in each language', () => {
    const shapeOf = (language: Language) =>
      guideFile(slug, language)
        .body.replaceAll(/^```[\s\S]*?^```$/gm, 'block')
        .split('\n')
        .map((line) => /^(#+ |\d+\. |- |\||block$)/.exec(line)?.[1] ?? (line === '' ? '' : 'text'));
    for (const language of ['zh', 'ja'] as const) expect(shapeOf(language)).toEqual(shapeOf('en'));
  });
  test.each(LANGUAGES)('in %s has no placeholder that is not filled in, and bounded texts', (language) => {
    const guide = readGuides().find((one) => one.slug === slug);
    expect(filled(guide?.content[language] ?? '{{}}')).not.toContain('{{');
    expect(guide?.content[language].length).toBeLessThan(40_000);
  });
});

test('each has a place of its own', () => {
  const places = readGuides().map(({ position }) => position);
  expect(new Set(places).size).toBe(places.length);
});

describe('a manifest', () => {
  const manifests = of('yaml');
  test.each(manifests.map((block) => [...titleOf(block), block] as const))(
    'of %s (%s %s: %s) is one that its kind takes',
    (...row) => {
      const block = row[4];
      const own = block.check === 'part' ? manifests.slice(0, manifests.indexOf(block)).findLast(isWhole) : block;
      const object = parse(own?.text ?? '');
      const facts = kinds.find(({ kind }) => kind === object.kind);
      expect([object.apiVersion, own?.slug]).toEqual([API_VERSION, block.slug]);
      const spec = { ...object.spec, ...(block.check === 'part' && parse(block.text)) };
      const shape = facts?.spec.shape ?? {};
      expect(creationBody(z.object(shape), ...Object.keys(shape)).parse(spec)).toBeTruthy();
      expect(object.metadata.name).toMatch(/^[a-z][a-z0-9-]*$/);
      if ('image' in spec) expect(spec.image).toMatch(IMAGE_SOURCE);
    },
  );
});
const isWhole = ({ check }: GuideBlock): boolean => check !== 'part';

/** Commands of a block: continued lines joined, and lines that are no end of a command left out. */
const commands = blocks
  .filter(({ language }) => language === 'bash')
  .flatMap((block) =>
    block.text
      .replaceAll(/\\\n\s*/g, ' ')
      .trim()
      .split('\n')
      .map((line) => [block.slug, line.trim(), block] as const),
  );

test('every block of bash is bash', () => {
  const program = of('bash').map(({ text }, at) => `f${at}() {\n${text}\n}`);
  expect(execFileSync('bash', ['--norc', '-n', '-c', program.join('\n')], { encoding: 'utf8' })).toBe('');
});

test('every block of JavaScript is a module', () => {
  for (const { text } of of('js'))
    expect(
      execFileSync(process.execPath, ['--check', '--input-type=module', '-'], { input: text, encoding: 'utf8' }),
    ).toBe('');
});

describe('a command of kubectl', () => {
  const names = new Set([
    ...kinds.flatMap(({ kind, singular, plural, shortNames }) => [
      singular ?? kind.toLowerCase(),
      plural,
      ...(shortNames ?? []),
    ]),
    'pods',
  ]);
  const phases = new Set(kinds.flatMap((facts) => Object.keys(facts.phases)));
  const VERBS = ['get', 'apply', 'wait', 'patch', 'annotate', 'scale', 'delete', 'explain', 'api-resources'];
  const PODS = ['logs', 'exec', 'port-forward'];
  const calls = commands.filter(([, line]) => /\bkubectl /.test(line));
  test.each(calls)('of %s names what is there: %s', (_, line) => {
    for (const [, verb = '', rest = ''] of line.matchAll(/kubectl ([a-z-]+)([^|)]*)/g)) {
      expect([...VERBS, ...PODS]).toContain(verb);
      if (PODS.includes(verb) || verb === 'apply' || verb === 'api-resources') continue;
      const [, resource = '', path = ''] =
        /^(?: --for=\S+| --\S+)* ([a-z]+)((?:\.[A-Za-z]+)*)/.exec(rest.replaceAll(/'[^']*'(=\w+)?/g, "''")) ?? [];
      expect([...names]).toContain(resource);
      if (path !== '') expect(isField(resource, path)).toBe(true);
    }
    for (const [, phase = ''] of line.matchAll(/\{\.status\.phase\}'=(\w+)/g)) expect([...phases]).toContain(phase);
    const [, patched = '', patch] = /kubectl patch (\w+) .*--patch '(.*)'/.exec(line) ?? [];
    if (patch !== undefined) {
      const shape = kindNamed(patched)?.spec.shape ?? {};
      const { spec, ...others } = JSON.parse(patch);
      expect(others).toEqual({});
      expect(changeBody(z.object(shape), ...Object.keys(shape)).parse(spec)).toBeTruthy();
    }
  });

  function kindNamed(name: string): KindFacts | undefined {
    return kinds.find(({ kind, singular, plural, shortNames }) =>
      [singular ?? kind.toLowerCase(), plural, ...(shortNames ?? [])].includes(name),
    );
  }
  /** `.spec.schedule` of what `kubectl explain` shows. */
  function isField(resource: string, path: string): boolean {
    let schema = z.toJSONSchema(kindNamed(resource)?.spec ?? z.object({}), { io: 'input', unrepresentable: 'any' }) as {
      properties?: Record<string, object>;
    };
    const [, first, ...fields] = path.split('.');
    for (const field of fields) {
      const next = schema.properties?.[field];
      if (next === undefined) return false;
      schema = next;
    }
    return first === 'spec';
  }
});

describe('a call', () => {
  const routes: readonly RouteFacts[] = Object.values(ROUTES);
  const paths = Object.keys(openapiDocument([], '1').paths as object);
  const calls = commands.filter(([, line]) => /\bcurl .*(https:|\$api)/.test(line));
  test.each(calls)('of %s is one that a route takes: %s', (_, line, block) => {
    const given = withVariables(line, block.text);
    const { method, url, body, headers } = callIn(given);
    expect(url.origin).toBe(CONSOLE);
    const signed = headers.includes('Authorization: Bearer $GANTRY_TOKEN');
    if (url.pathname.startsWith('/v1/')) {
      expect([paths.includes(url.pathname), signed]).toEqual([true, true]);
      if (body !== undefined) expect(JSON.parse(body)).toMatchObject({ model: expect.any(String) });
      return;
    }
    const route = routes.find((one) => one.method === method && isPath(one.path, url.pathname.replace(/^\/api/, '')));
    expect([method, url.pathname, route?.id]).toEqual([method, url.pathname, expect.any(String)]);
    if (!route) return;
    route.query?.parse(Object.fromEntries(url.searchParams));
    expect(route.query === undefined && url.search !== '').toBe(false);
    if (route.body) route.body.parse(JSON.parse(body ?? ''));
    expect(signed).toBe(route.access !== 'public');
    expect(headers.includes('Content-Type: application/json')).toBe(route.body !== undefined);
  });
});

/** The variables of a block that stand for an address or a header; what a program would count is some number, or some hash. */
function withVariables(line: string, block: string): string {
  const known = new Map(
    [...block.matchAll(/^(\w+)=(?:"([^"]*)"|(https:\S+))$/gm)].map(([, name, a, b]) => [name, a ?? b ?? '']),
  );
  return line
    .replaceAll(/"'\$\([^)]*\)'"/g, `"${'a'.repeat(64)}"`)
    .replaceAll(/'\$\([^)]*\)'/g, '7')
    .replaceAll(
      /\$(\w+)/g,
      (whole, name: string) => known.get(name) ?? (name === 'GANTRY_TOKEN' ? whole : `${name}-1`),
    );
}

function callIn(line: string) {
  const words = [...(/curl (.*)$/.exec(line)?.[1] ?? '').matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
  const after = (...flags: string[]) =>
    words.flatMap((word, at) => (flags.includes(word) ? [words[at + 1] ?? ''] : []));
  const body = after('-d')[0];
  return {
    url: new URL(words.find((word) => word.startsWith('https:')) ?? ''),
    method: after('-X')[0] ?? (body === undefined ? 'GET' : 'POST'),
    headers: after('-H'),
    body,
  };
}

const isPath = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path) &&
  pattern.split('/').length === path.split('/').length;

describe('a table', () => {
  const cells = (slug: string, heading: string) => {
    const [, part = ''] = guideFile(slug, 'en').body.split(`## ${heading}\n`);
    return (part.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1);
  };
  test('of kinds has names that are theirs', () => {
    const rows = kinds
      .filter(({ scope }) => scope === 'Namespaced')
      .map(({ kind, plural, shortNames }) => `| ${kind} | \`${plural}\` | \`${shortNames?.[0]}\` |`);
    const told = cells('kubectl', 'The kinds');
    expect(told.length).toBeGreaterThan(8);
    // A new kind costs no line here: the article may name it later.
    expect(rows).toEqual(expect.arrayContaining(told));
  });
  test('of metrics has all that a policy can name', () => {
    const named = cells('alerts', 'What can be watched').flatMap((row) =>
      [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named.toSorted()).toEqual([...ALERT_METRIC_NAMES].toSorted());
  });
  test('of OpenAI’s calls has those that are answered', () => {
    const paths = Object.keys(openapiDocument([], '1').paths as object);
    const named = cells('openai-client', 'What is answered').flatMap((row) =>
      [...row.matchAll(/`(\/v1\S*)`/g)].map(([, path]) => path),
    );
    expect(named.filter((path) => !paths.includes(path ?? ''))).toEqual([]);
  });
});

describe.each(LANGUAGES)('what is set in bold in %s', (language) => {
  const phrases = phrasesIn(language);
  test.each(SLUGS)('in %s stands in the console', (slug) => {
    const body = guideFile(slug, language).body.replaceAll(/^```[\s\S]*?^```$/gm, '');
    const bold = [...body.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = '']) => text);
    expect(bold.filter((text) => !phrases.has(text))).toEqual([]);
  });
});

/** Of the console, of its menus, and of kinds. */
function phrasesIn(language: Language): Set<string> {
  const files = filesOf(`{console,ui}/src/**/words/${language}.ts`, `contract/src/words/${language}/*.ts`).map(read);
  const menus = filesOf('console/src/areas/*/menus.ts').map(read);
  const texts = files.flatMap((text) =>
    [...text.matchAll(/: (?:'((?:[^'\\\n]|\\.)*)'|"([^"\n]*)")/g)].map(([, a, b]) => a ?? b ?? ''),
  );
  const names = menus.flatMap((text) =>
    [...text.matchAll(new RegExp(`\\b${language}: '([^']*)'`, 'g'))].map(([, name]) => name ?? ''),
  );
  return new Set([...texts, ...names]);
}
