// Tickets of previews, and what is at fault in articles: links are followed on the portal alone.
import { problem } from '@gantry/contract/http/problem.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { expect, test } from '@jest/globals';
import { ArticleFaults } from './article-faults.ts';
import type { NewestArticle } from './articles.ts';
import { Previews } from './previews.ts';

const PORTAL = 'https://www.example.org';

function previews(kind: 'help' | 'terms' = 'help') {
  const clock = new SteppedClock();
  const articles = {
    async draft(version: string, language: string) {
      if (version !== 'art-1.2') throw problem('not_found', { what: version });
      return {
        slug: 'ssh',
        kind,
        title: `SSH ${language}`,
        content: 'Draft',
        published_at: '2026-01-01T00:00:00.000Z',
      };
    },
  };
  const of = (secret: string) =>
    new Previews({
      articles,
      clock,
      portal: PORTAL,
      keyed: (text) => Buffer.from(`${secret} ${text}`).toString('hex'),
    });
  return { clock, ours: of('a'), others: of('b') };
}
const ticketIn = (link: string) => link.slice(link.lastIndexOf('/') + 1);

test('a ticket shows its version in each language for ten minutes', async () => {
  const { clock, ours } = previews();
  const links = await ours.links('art-1', 2);
  expect(links.zh).toMatch(/^https:\/\/www\.example\.org\/zh\/preview\/[\w-]+\.\w+$/);
  const ticket = ticketIn(links.en);
  expect(await ours.read(ticket, 'ja')).toMatchObject({
    ...{ name: 'article', params: { slug: 'ssh' } },
    data: { readArticle: { title: 'SSH ja', content: 'Draft', related: [] } },
  });
  await clock.step(600_001);
  expect(await ours.read(ticket, 'ja')).toBeUndefined();
});

test('a page that is no help article is shown as that page', async () => {
  const { ours } = previews('terms');
  const { en } = await ours.links('art-1', 2);
  expect(await ours.read(ticketIn(en), 'en')).toMatchObject({
    name: 'terms',
    data: { readTerms: { content: 'Draft' } },
  });
});

test('a ticket that is changed, cut or another installation’s shows nothing, and nothing has none', async () => {
  const { ours, others } = previews();
  const ticket = ticketIn((await ours.links('art-1', 2)).en);
  const [said = '', sum] = ticket.split('.');
  const changed = Buffer.from('["art-9.1",9e15]').toString('base64url');
  for (const wrong of [`${changed}.${sum}`, said, '', '.', ticketIn((await others.links('art-1', 2)).en)])
    expect(await ours.read(wrong, 'en')).toBeUndefined();
  await expect(ours.links('art-1', 3)).rejects.toMatchObject({ problem: 'not_found' });
});

const article = (slug: string, en: string, more: Partial<NewestArticle> = {}): NewestArticle => ({
  ...{ id: `art-${slug}`, slug, title: { en: slug, zh: slug, ja: slug }, isPublished: true },
  content: { en, zh: '中文', ja: '日本語' },
  ...more,
});
async function brokenIn(text: string) {
  const all = [article('first', text), article('keys', '## Make one'), article('draft', 'x', { isPublished: false })];
  const faults = new ArticleFaults({
    ...{ portal: PORTAL, articles: { newest: async () => all } },
    exists: async ({ name, params }) => name === 'model' && params.id === 'mdl-1',
  });
  return (await faults.rows()).map(({ fault, link }) => (fault === 'brokenLink' ? link : fault));
}

test.each([
  '/en/helpCenter/keys',
  '/helpCenter/keys#make-one',
  'keys',
  '#part',
  `${PORTAL}/ja/model/mdl-1`,
  '/home',
  '/api/openapi.json',
  '/en/feed.xml',
  'https://elsewhere.example/nothing',
  'mailto:help@example.com',
])('%s leads somewhere', async (link) => expect(await brokenIn(`## Part\n\n[x](${link})`)).toEqual([]));

test.each([
  '/en/helpCenter/none',
  '/en/helpCenter/draft',
  '/helpCenter/keys#other',
  '#other',
  '/en/model/mdl-2',
  '/nothing',
  `${PORTAL}/en/nothing`,
  'none',
])('%s leads nowhere', async (link) => expect(await brokenIn(`## Part\n\n[x](${link} "title")`)).toEqual([link]));

test('a text that is missing, and one that is another’s copy, are told', async () => {
  const all = [article('first', 'Text', { content: { en: 'Text', zh: 'Text', ja: ' ' } })];
  const faults = new ArticleFaults({ portal: PORTAL, articles: { newest: async () => all }, exists: async () => true });
  expect((await faults.rows()).map(({ language, fault }) => [language, fault])).toEqual([
    ['zh', 'untranslated'],
    ['ja', 'missing'],
  ]);
});
