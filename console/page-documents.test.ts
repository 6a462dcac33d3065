// The documents of pages, from a small index and a few files of a build.
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { LANGUAGES } from './first-paint.ts';
import { documentOf, later, modulesOf } from './page-documents.ts';

const source = (file: string) => fileURLToPath(new URL(`src/${file}`, import.meta.url));
const SPOKEN = ['words-%.ts', 'areas/a/words/%.ts'].flatMap((file) =>
  Object.keys(LANGUAGES).map((language) => file.replace('%', language)),
);
const chunk = (fileName: string, facadeModuleId: string | null, imports: readonly string[] = []) => ({
  fileName,
  facadeModuleId,
  imports,
});
const CHUNKS = [
  chunk('assets/main.js', source('main.tsx'), ['assets/base.js']),
  chunk('assets/page.js', source('areas/a/page.tsx'), ['assets/base.js', 'assets/form.js']),
  chunk('assets/form.js', null, ['assets/field.js']),
  chunk('assets/field.js', null),
  chunk('assets/base.js', null),
  ...SPOKEN.map((file) => chunk(`assets/${file.replaceAll('/', '-')}.js`, source(file))),
];
const INDEX = `<head>
<!-- preload -->
<script type="module" crossorigin src="/assets/main.js"></script>
<link rel="modulepreload" crossorigin href="/assets/base.js">
</head><div id="root"><!-- first paint --></div>`;
const LATER = later(INDEX, 'assets/start-anyway.js');
const PAGE = { paint: 'painted', modules: [source('areas/a/page.tsx')], words: 'areas/a/words/%.ts' };

const linksIn = (text: string) =>
  [...text.matchAll(/<link crossorigin(.*?) data-href="\/assets\/(.+?)\.js">/g)].map(([, marks = '', file = '']) => [
    file,
    marks.trim(),
  ]);
const linked = (page: Partial<typeof PAGE> & { isOpen?: boolean }) =>
  linksIn(documentOf(LATER, CHUNKS, { paint: '', ...page }));

test('a page asks for its script and all that this imports, and for the words of each language, none twice', () => {
  expect(linked(PAGE)).toEqual([
    ['page', ''],
    ['form', ''],
    ['field', ''],
    ...['en', 'zh', 'ja'].flatMap((language) => [
      [`words-${language}.ts`, `data-words="${language}"`],
      [`areas-a-words-${language}.ts`, `data-words="${language}"`],
    ]),
    ['main', 'data-entry'],
    ['base', ''],
  ]);
});

test('what only whoever is signed in gets to see is marked so', () => {
  const marked = linked({ ...PAGE, isOpen: false }).filter(([, marks]) => marks?.includes('data-only="signed-in"'));
  expect(marked.map(([file]) => file)).toEqual([
    'page',
    'form',
    'field',
    'areas-a-words-en.ts',
    'areas-a-words-zh.ts',
    'areas-a-words-ja.ts',
  ]);
});

test('an address without a page of its own asks for the program and the common words', () => {
  expect(linked({}).map(([file]) => file)).toEqual(['words-en.ts', 'words-zh.ts', 'words-ja.ts', 'main', 'base']);
});

test('nothing of the document asks for a script by itself, but the one that begins where the inline one may not', () => {
  const [script, ...more] = documentOf(LATER, CHUNKS, PAGE).match(/<script.*?>|rel="modulepreload"/g) ?? [];
  expect([script, more]).toEqual([expect.stringContaining(' src="/assets/start-anyway.js"'), []]);
});

test('what is put in stands there as it is', () => {
  expect(documentOf(LATER, CHUNKS, { paint: "$& $' $1" })).toContain(`<div id="root">$& $' $1</div>`);
});

test('a module that the build has no file for is no page', () => {
  expect(() => documentOf(LATER, CHUNKS, { paint: '', modules: ['/gone.tsx'] })).toThrow('/gone.tsx');
});

test('an index that starts nothing is none either', () => {
  expect(() => later('<head></head>', 'assets/start-anyway.js')).toThrow('no script to begin with');
});

type Row = Parameters<typeof modulesOf>[1];
/** As it is read: by its text alone. */
const loads = (text: string): Row['load'] =>
  Object.assign(() => Promise.reject(new Error('not to be called')), { toString: () => text });
const load = loads("() => import('./login-page.tsx').then(({ LoginPage }) => ({ Page: LoginPage }))");

test.each<[string, Row, readonly string[]]>([
  ['an open page is alone', { load, frame: 'open' }, []],
  ['a bare page is for whoever is signed in', { load, frame: 'bare' }, ['shell/signed-in.tsx']],
  ['any other stands in the frame', { load }, ['shell/signed-in.tsx', 'shell/shell.tsx']],
])('%s', (_, row, around) => {
  expect(modulesOf('entry', row)).toEqual(['areas/entry/login-page.tsx', ...around].map(source));
});

test('a page that does not say where it is is none', () => {
  expect(() => modulesOf('entry', { load: loads('() => page') })).toThrow('"entry"');
});
