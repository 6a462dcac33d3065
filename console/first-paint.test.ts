// What index.html and the documents of pages show before a script has come.
import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { firstPaint, LANGUAGES, type Spoken } from './first-paint.ts';

const WORDS: Spoken = {
  en: { list: { title: 'Disks', lead: 'Yours & <theirs>' } },
  zh: { list: { title: '磁盘', lead: '说明' } },
  ja: { list: { title: 'ディスク', lead: '説明' } },
};
const first = { title: 'list.title', lead: 'list.lead' };

test('a page of the frame begins with its heading and its sentence, in every language', () => {
  const paint = firstPaint({ first }, WORDS);
  expect(paint).toContain('<span lang="en">Disks</span><span lang="zh-CN">磁盘</span><span lang="ja">ディスク</span>');
  expect(paint).toContain('<span lang="en">Yours &amp; &lt;theirs&gt;</span>');
  expect(paint).toContain('class="before framed" aria-busy="true"');
  // For whoever has no session.
  expect(paint).toMatch(/<div class="before alone"[^>]*>.*<p>Gantry<\/p><\/div>$/);
});

test('what an open page says stands on a card, without the frame', () => {
  const paint = firstPaint({ frame: 'open', first }, WORDS);
  expect(paint).toContain('class="card"');
  expect(paint).not.toContain('<aside');
});

test.each(['open', 'bare'] as const)('a page that is %s and says nothing first shows the name', (frame) => {
  expect(firstPaint({ frame }, WORDS)).toContain('<p>Gantry</p>');
});

test('words that are not there are no page', () => {
  expect(() => firstPaint({ first: { ...first, lead: 'list.gone' } }, WORDS)).toThrow('list.gone');
});

const INDEX = readFileSync('console/index.html', 'utf8');

interface Browser {
  kept?: Record<string, string>;
  languages?: readonly string[];
  cookie?: string;
  /** Its frames are drawn: not so in the background. */
  draws?: boolean;
  /** It keeps nothing for us, and says so by throwing. */
  refuses?: boolean;
  /** What comes of asking for the program. */
  entry?: () => Promise<unknown>;
}

/** The inline script as it is, but for `import`, in a browser that has what it asks for, and a page with one link of each sort. */
async function begun({ kept = {}, languages = [], cookie = '', draws = true, refuses = false, entry }: Browser = {}) {
  const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(INDEX) ?? [];
  const attributes = new Map<string, string>();
  const link = (name: string, marks: object) => ({ rel: '', href: '', dataset: { href: `/${name}.js`, ...marks } });
  const links = [
    link('main', { entry: '' }),
    link('page', { only: 'signed-in' }),
    ...Object.keys(LANGUAGES).map((words) => link(words, { words })),
    ...Object.keys(LANGUAGES).map((words) => link(`page-${words}`, { words, only: 'signed-in' })),
  ];
  const root = { lang: '', setAttribute: attributes.set.bind(attributes) };
  let parsed = () => {};
  let frame = () => {};
  let late = () => {};
  const started: string[] = [];
  const button = { onclick: () => {} };
  let reloads = 0;
  runInNewContext(script.replace('import(', 'start('), {
    start: (file: string) => {
      started.push(file);
      return entry?.() ?? Promise.resolve();
    },
    console: { error: () => {} },
    addEventListener: (_: string, told: () => void) => {
      parsed = told;
    },
    requestAnimationFrame: (drawn: () => void) => {
      frame = drawn;
    },
    setTimeout: (then: () => void, ms?: number) => {
      if (ms === undefined) then();
      else late = then;
    },
    document: {
      documentElement: root,
      cookie,
      querySelector: (selector: string) => (selector === '.failed button' ? button : null),
      querySelectorAll: (selector: string) =>
        links.filter(
          ({ dataset }) => selector === '[data-href]' || (selector === '[data-entry]' && 'entry' in dataset),
        ),
    },
    localStorage: {
      getItem: (key: string) => {
        if (refuses) throw new Error('SecurityError');
        return kept[key] ?? null;
      },
    },
    location: {
      reload: () => {
        reloads += 1;
      },
    },
    navigator: { languages },
    matchMedia: () => ({ matches: true }),
  });
  const followed = () => links.filter(({ rel }) => rel === 'modulepreload').map(({ href }) => href);
  parsed();
  const early = [...started, ...followed()];
  if (draws) frame();
  late();
  await new Promise(setImmediate);
  button.onclick();
  return { lang: root.lang, attributes, early, started, followed: followed(), reloads };
}

// As `languageOf` of the apps decides it, and `LOCALES` names it.
test.each<[string, Record<string, string>, readonly string[], keyof Spoken]>([
  ['what was chosen here', { gantry_language: 'ja' }, ['zh-CN'], 'ja'],
  ['what the browser asks for', {}, ['fr', 'zh-TW', 'en'], 'zh'],
  ['English where nothing else is spoken', {}, ['fr'], 'en'],
  ['the next where what was chosen is gone', { gantry_language: 'xx' }, ['ja'], 'ja'],
])(
  'the language is %s, and its words alone are fetched, once something is drawn',
  async (_, kept, languages, language) => {
    const { lang, early, started, followed } = await begun({ kept, languages });
    expect(early).toEqual([]);
    expect(lang).toBe(LANGUAGES[language]);
    expect(followed).toEqual(['/main.js', `/${language}.js`]);
    expect(started).toEqual(['/main.js']);
  },
);

test.each([
  ['dark as the system is', {}, 'dark'],
  ['light where that was chosen', { 'mui-mode': 'light' }, 'light'],
])('the scheme is %s', async (_, kept: Record<string, string>, scheme) => {
  expect((await begun({ kept })).attributes.get('data-scheme')).toBe(scheme);
});

test.each([
  ['there for whoever has a session', 'a=b; gantry_token=tok', true],
  ['not there where the session was ended', 'gantry_token=', false],
  ['not there where another cookie follows the ended session', 'gantry_token=; other=1', false],
  ['not there where there was none', '', false],
])('the frame is %s, and so are its scripts', async (_, cookie, isThere) => {
  const { attributes, followed, started } = await begun({ cookie });
  expect(attributes.has('data-signed-in')).toBe(isThere);
  expect(followed).toEqual(isThere ? ['/main.js', '/page.js', '/en.js', '/page-en.js'] : ['/main.js', '/en.js']);
  expect(started).toEqual(['/main.js']);
});

test.each<[string, Browser]>([
  ['in a tab in the background, which draws nothing', { draws: false }],
  ['where the browser keeps nothing for us', { refuses: true }],
])('the program starts %s', async (_, browser) => {
  const { started, attributes, reloads } = await begun(browser);
  expect(started).toEqual(['/main.js']);
  expect([attributes.has('data-begun'), attributes.has('data-failed')]).toEqual([true, false]);
  expect(reloads).toBe(0);
});

test('a program that does not come is told, in every language, with a way to try again', async () => {
  const { attributes, reloads } = await begun({ entry: () => Promise.reject(new Error('no network')) });
  expect(attributes.has('data-failed')).toBe(true);
  const [told = ''] = /<div class="before alone failed" role="alert">[\s\S]*?<\/div>/.exec(INDEX) ?? [];
  for (const lang of Object.values(LANGUAGES)) expect(told.split(`<span lang="${lang}">`)).toHaveLength(3);
  expect(told).toContain('<button type="button">');
  expect(reloads).toBe(1);
});

/** What stands beside the inline script, where that has marked the page, or never ran. */
async function anyway(marks: readonly string[], entry = () => Promise.resolve()) {
  const attributes = new Set(marks);
  const started: string[] = [];
  const button = { onclick: () => {} };
  let reloads = 0;
  runInNewContext(readFileSync('console/start-anyway.js', 'utf8').replace('import(', 'start('), {
    start: (file: string) => {
      started.push(file);
      return entry();
    },
    console: { error: () => {} },
    document: {
      documentElement: { hasAttribute: attributes.has.bind(attributes), setAttribute: attributes.add.bind(attributes) },
      querySelector: (selector: string) => (selector === '.failed button' ? button : null),
      querySelectorAll: (selector: string) => (selector === '[data-entry]' ? [{ dataset: { href: '/main.js' } }] : []),
    },
    location: { reload: () => reloads++ },
  });
  await new Promise(setImmediate);
  button.onclick();
  return { started, isFailed: attributes.has('data-failed'), reloads };
}

test('the program starts once, by the inline script or, where the browser lets that not run, by what stands beside it', async () => {
  expect((await anyway(['data-begun'])).started).toEqual([]);
  expect(await anyway([])).toEqual({ started: ['/main.js'], isFailed: false, reloads: 0 });
});

test('also then a program that does not come is told, with a way to try again', async () => {
  const failing = await anyway([], () => Promise.reject(new Error('no network')));
  expect([failing.isFailed, failing.reloads]).toEqual([true, 1]);
});
