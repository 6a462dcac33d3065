// The portal as visitors see it, in each language: every page whole without scripts, valid, found by its links and in order in a browser;
// from the comparison of two GPUs to the console's form; what staff change; and no word of a tenant.
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright';
import { BIG, HIDDEN, SMALL, UNSPEAKABLE, WORD } from '../../api/src/areas/portal/testing/plant-shelves.ts';
import { eventually } from '../support/eventually.ts';
import { inTurn } from '../support/soak.ts';
import { axeComplaints, axeContrast } from './axe.ts';
import { attributeOf, elementsIn, htmlFaults } from './html-faults.ts';
import { openPortalScene, PORTAL_PATHS, type PortalScene } from './portal-scene.ts';
import { CHROMIUM, DESK, PHONE, Visitor, type VisitorOptions } from './visitor.ts';

const WIDTHS = [DESK.width, 768, PHONE.width];
const MOST_SHIFT = 0.01;
/** What staff change is there within as long; a slow machine has more. */
const LIVE_MS = 15_000;

let scene: PortalScene;
let browser: Browser;
beforeAll(async () => {
  scene = await openPortalScene();
  browser = await chromium.launch(CHROMIUM);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await scene?.gateway.stop();
});

const textOf = async (path: string): Promise<string> => {
  const answer = await fetch(new URL(path, scene.url));
  return `${answer.status === 200 ? '' : `status ${answer.status} `}${await answer.text()}`;
};

/** The text of its content. */
const mainOf = (html: string): string =>
  (/<main\b[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

/** Faults that nobody announced end it. */
async function asVisitor(options: VisitorOptions, play: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = await Visitor.come(browser, scene.url, options);
  try {
    await play(visitor);
    expect(visitor.faults()).toEqual([]);
  } catch (error) {
    await visitor.picture(`portal-${new URL(visitor.page.url()).pathname.replaceAll(/\W+/g, '-')}`).catch(() => {});
    throw error;
  } finally {
    await visitor.leave();
  }
}

const EVERY_PAGE = LANGUAGES.flatMap((language) =>
  PORTAL_PATHS.map((path) => ({ language, path: `/${language}${path}` })),
);

/** To the portal and the console: other people's servers are not asked. */
const linksOf = (path: string, html: string): URL[] =>
  elementsIn(html)
    .flatMap((one) => (one.tagName === 'a' ? (attributeOf(one, 'href') ?? []) : []))
    .map((href) => new URL(href, `${scene.url}${path}`))
    .filter(({ origin }) => origin === scene.url || origin === scene.consoleUrl);

describe('every page, as it is sent', () => {
  let pages: Map<string, string>;
  beforeAll(async () => {
    pages = new Map();
    for (const { path } of EVERY_PAGE) pages.set(path, await textOf(path));
  }, 120_000);

  test('is valid HTML', () => {
    const found = [...pages].flatMap(([path, html]) => htmlFaults(html).map((fault) => `${path}: ${fault}`));
    expect(found).toEqual([]);
  });

  test('has one heading and its content without scripts, in its language', () => {
    const found = [...pages].flatMap(([path, html]) => {
      const headings = html.match(/<h1\b/g)?.length ?? 0;
      const main = mainOf(html);
      const isLong = main.length > 20;
      return headings === 1 && isLong && html.includes(`lang="${path.slice(1, 3)}`)
        ? []
        : [`${path}: ${main.slice(0, 80)}`];
    });
    expect(found).toEqual([]);
  });

  test('leads to pages that are there, and to parts of them that are there', async () => {
    const links = new Map(
      [...pages].flatMap(([path, html]) => linksOf(path, html).map((url) => [url.href, path] as const)),
    );
    const read = new Map([...pages].map(([path, html]) => [`${scene.url}${path}`, html]));
    const found: string[] = [];
    for (const [href, on] of links) {
      const [address = '', part = ''] = href.split('#');
      const text = read.get(address) ?? (await textOf(address));
      read.set(address, text);
      const isThere = !text.startsWith('status') && (part === '' || text.includes(`id="${decodeURIComponent(part)}"`));
      if (!isThere) found.push(`${on} leads to ${href}: ${text.slice(0, 40)}`);
    }
    expect(found).toEqual([]);
    expect(links.size).toBeGreaterThan(100);
  });

  test('leads to itself in the other languages', () => {
    const found = [...pages].flatMap(([path, html]) => {
      const hrefs = elementsIn(html).flatMap((one) =>
        attributeOf(one, 'data-language') === undefined ? [] : (attributeOf(one, 'href') ?? ''),
      );
      const wanted = LANGUAGES.map((language) => `/${language}${path.slice(3)}`);
      return wanted.every((one) => hrefs.includes(one)) || path.endsWith('/overviewPage') ? [] : [`${path}: ${hrefs}`];
    });
    expect(found).toEqual([]);
  });
});

// axe takes most of the time: a run looks at each page in one language, and three runs in all.
describe('every page in a browser', () => {
  for (const language of LANGUAGES)
    test(`is in order in ${language}: axe, errors, layout shift, no sideways scroll`, async () => {
      const found: Record<string, readonly string[]> = {};
      const turns = EVERY_PAGE.map((page, index) => ({ ...page, turn: index % PORTAL_PATHS.length }));
      const pages = inTurn('pages of the portal', turns, LANGUAGES.length, 1).filter(
        (one) => one.language === language,
      );
      await asVisitor({ language }, async (visitor) => {
        await visitor.context.addInitScript(COUNTS_SHIFTS);
        for (const { path } of pages) {
          const faults = await faultsInBrowser(visitor, path);
          if (faults.length > 0) found[path] = faults;
        }
      });
      expect(found).toEqual({});
      expect(pages.length).toBeGreaterThan(3);
    });
});

async function faultsInBrowser(visitor: Visitor, path: string): Promise<string[]> {
  const { page } = visitor;
  await page.setViewportSize(DESK);
  await page.goto(path, { waitUntil: 'load' });
  const faults = await axeComplaints(visitor);
  await page.emulateMedia({ colorScheme: 'dark' });
  faults.push(...(await axeContrast(visitor)).map((one) => `dark: ${one}`));
  await page.emulateMedia({ colorScheme: 'light' });
  const shift = await page.evaluate<number>('globalThis.test_shift');
  if (!(shift <= MOST_SHIFT)) faults.push(`moves by ${shift}`);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: PHONE.height });
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    if (wide > width) faults.push(`is ${wide} wide in a window of ${width}`);
  }
  return faults;
}

const COUNTS_SHIFTS = `
  globalThis.test_shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) globalThis.test_shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

for (const language of LANGUAGES)
  test(`a visitor compares two GPUs, presses Start, and finds it chosen and held in the console, in ${language}`, async () => {
    const { market } = await wordsOf('portal/src', language);
    await asVisitor({ language }, async (visitor) => {
      const { page } = visitor;
      await page.goto(`/${language}/computingCenter`, { waitUntil: 'networkidle' });
      for (const name of ['NVIDIA H200', 'NVIDIA Tesla T4'])
        await page.getByRole('checkbox', { name: `${market?.compare}: ${name}` }).check();
      const comparison = page.getByRole('region', { name: market?.comparison ?? '', exact: true }).first();
      await comparison.getByRole('columnheader', { name: 'NVIDIA H200' }).waitFor();
      expect(await comparison.getByRole('columnheader').count()).toBe(2);
      expect(new URL(page.url()).search).toContain('compare');

      await page
        .getByRole('row', { name: 'NVIDIA H200' })
        .getByRole('link', { name: market?.start ?? '', exact: true })
        .click();
      await page.waitForURL(`${scene.consoleUrl}/login**`);
      const wanted = new URL(page.url()).searchParams.get('next') ?? '';
      expect(wanted).toMatch(new RegExp(`^/develop/instance/create\\?gpu=${BIG}&count=1&hold=hld-`));

      // As the login page leaves it.
      const { owner } = scene.gateway.tokens;
      await page.context().addCookies([{ name: 'gantry_token', value: owner, url: scene.consoleUrl }]);
      await page.evaluate(
        "localStorage.setItem('gantry_account_id', 'acc-owner'); localStorage.setItem('gantry_org_id', 'acmeorgs')",
      );
      await page.goto(`${scene.consoleUrl}${wanted}`);
      const held = page.getByRole('note').filter({ hasText: 'NVIDIA H200' });
      await held.waitFor();
      expect(await held.textContent()).toMatch(/1 × NVIDIA H200.*3\.00/);
    });
  });

/** The groups of an app's words. By a path that the compiler does not follow: the apps are compiled for browsers. */
async function wordsOf(folder: string, language: Language): Promise<Record<string, Record<string, string>>> {
  const { words } = await import(`../../${folder}/words/${language}.ts`);
  return words;
}

describe('what staff change', () => {
  const asStaff = (path: string, body?: object, method = 'POST') =>
    scene.gateway.client(scene.gateway.tokens.administrator).fetch(`/api/admin/${path}`, {
      ...(body && { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });

  test('an article is live in the language that was edited, and the others stay', async () => {
    const found = await asStaff(`articles?${new URLSearchParams({ filter: '{"q":"first-instance"}' })}`);
    const [article] = (await found.json()) as [{ id: string; latest: number }];
    const version = await asStaff(`article-versions/${article.id}.${article.latest}`);
    const { content } = (await version.json()) as { content: Record<Language, string> };
    const before = await textOf('/en/helpCenter/first-instance');
    const edited = { ...content, zh: `${content.zh}\n\n本页刚刚更新。` };
    expect((await asStaff(`articles/${article.id}`, { content: edited, reason: 'newer' }, 'PUT')).status).toBe(200);
    await asStaff(`articles/${article.id}/publish`, { number: article.latest + 1, reason: 'newer' });
    await eventually(
      'it is live',
      async () => (await textOf('/zh/helpCenter/first-instance')).includes('本页刚刚更新'),
      LIVE_MS,
    );
    expect(mainOf(await textOf('/en/helpCenter/first-instance'))).toBe(mainOf(before));
  });

  test('a price counts in the table, the calculator and the JSON-LD of the same page', async () => {
    const page = '/en/computingCenter';
    const before = await textOf(page);
    const [first = ''] = /"price":"0.\d+"/.exec(before) ?? [];
    const added = 1;
    const amount = (Number(/[\d.]+/.exec(first)?.[0]) + added).toFixed(2);
    const given = await asStaff('prices', { sku: `gpu/${SMALL}`, currency: 'USD', amount, reason: 'dearer' });
    expect(given.status).toBe(201);
    const after = await eventually(
      'the page has the price',
      async () => {
        const text = await textOf(page);
        return text.includes(first) ? undefined : text;
      },
      LIVE_MS,
    );
    expect(after).toContain(`"price":"${amount}"`);
    expect(mainOf(after)).toContain(`$${amount}`);
    const calculated = (html: string) => Number(/Hours US East Washington ?: \$([\d.]+)/.exec(mainOf(html))?.[1]);
    expect(calculated(after) - calculated(before)).toBeCloseTo(24 * added, 1);
  });
});

test('no word of a tenant is on any page, in any language, as HTML or Markdown, nor in lists and feeds', async () => {
  const hidden = [
    ...[`/computingCenter/${HIDDEN}`, '/helpCenter/draft'],
    ...['/model/mdl-theirs', '/model/mdl-stranger', '/dataset/dst-theirs', '/dataset/dst-stranger'],
  ];
  const start = WORD.slice(0, 6);
  const sought = ['/modelLibrary?search=', '/dataset?search=', '/helpCenter?q='].map((path) => `${path}${start}`);
  const paths = LANGUAGES.flatMap((language) =>
    [
      ...[...PORTAL_PATHS, ...hidden].flatMap((path) => [path, `${path}.md`]),
      ...[...sought, '/feed.xml', '/status.xml'],
    ].map((path) => `/${language}${path}`),
  );
  const found: string[] = [];
  for (const path of [...paths, '/sitemap.xml', '/llms.txt', '/robots.txt']) {
    const word = UNSPEAKABLE.exec(await textOf(path))?.[0];
    if (word !== undefined) found.push(`${path}: ${word}`);
  }
  expect(found).toEqual([]);
});
