// The product's own help articles in an installation: published once, replaced by newer texts of ours, and left alone once operators have
// touched them. And the amounts within, which are those of the bill whenever somebody reads.
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryDatabase } from '../../../../test/support/database.ts';
import { type PriceFixture, START, tariff } from '../../core/billing/prices/testing/fixtures.ts';
import { ViewPrices } from '../../core/billing/prices/view-prices.ts';
import type { Database } from '../../platform/db/open.ts';
import { articles as articleRows, articleVersions } from '../../platform/db/schema/operation.ts';
import { Articles } from './articles.ts';
import { type FigureParts, Figures } from './figures.ts';
import { type Guide, readGuides } from './guides.ts';

const in3 = (text: string) => ({ en: text, zh: text, ja: text });
const guide = (text: string, slug = 'ssh'): Guide => ({ slug, position: 10, title: in3('SSH'), content: in3(text) });

/** As staff set them: by the hour, disks by the month. */
let list: PriceFixture[] = [];
const clock = new SteppedClock();
/** The bill's own. */
const prices = new ViewPrices({
  tariffs: { of: (organizationId) => ({ ...tariff(list, []), organizationId }), on: () => () => undefined },
  clock: { now: () => START },
});
const figures = (parts: Partial<FigureParts> = {}) =>
  new Figures({
    prices,
    console: 'https://console.example.org',
    images: () => ['registry.example.org/b/two:1', 'registry.example.org/a/one:1'],
    market: () => [
      { id: 'NVIDIA-H200', hour: '4.00' },
      { id: 'Tesla-T4', hour: '0.50' },
      { id: 'NVIDIA-L4', hour: null },
    ],
    ...parts,
  });

describe('an installation', () => {
  let db: Database;
  let articles: Articles;
  beforeAll(async () => {
    db = await memoryDatabase();
    articles = new Articles({ db, clock, figures: figures() });
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.sql.delete(articleVersions);
    await db.sql.delete(articleRows);
  });

  const read = async (slug = 'ssh') => (await articles.read({ slug }, 'en').catch(() => undefined))?.content;
  const rows = async () =>
    (await articles.page({ filter: {}, range: [0, 99], sort: ['position', 'ASC'] } as never)).items;

  test('has every article in three languages after its first start, and none twice after the next', async () => {
    await articles.seed(readGuides());
    await articles.seed(readGuides());
    const heads = await articles.heads('ja');
    expect(heads.map(({ slug }) => slug)).toEqual(
      readGuides()
        .toSorted((a, b) => a.position - b.position)
        .map(({ slug }) => slug),
    );
    expect(heads.length).toBeGreaterThan(10);
    expect(await rows()).toEqual(
      expect.arrayContaining([expect.objectContaining({ state: 'published', latest: 1, changed_by: null })]),
    );
  });

  test('gets a newer text of ours in place of an older one, and an earlier gateway beside it changes nothing', async () => {
    await articles.seed([guide('one')]);
    await articles.seed([guide('two')]);
    await articles.seed([guide('one')]);
    expect(await read()).toBe('two');
    expect(await rows()).toMatchObject([{ latest: 2, published: 2 }]);
  });

  test('keeps what operators have edited, withdrawn, rolled back or given another address', async () => {
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      edited: (id) => articles.edit(id, { content: in3('theirs'), reason: 'ours is wrong' }, 'acc-staff'),
      withdrawn: (id) => articles.withdraw(id, 'acc-staff'),
      back: (id) => articles.publish(id, 1, 'acc-staff'),
    };
    const all = (text: string) => Object.keys(changes).map((slug) => guide(text, slug));
    await articles.seed(all('one'));
    await articles.seed(all('two'));
    for (const [slug, change] of Object.entries(changes)) await change(`art-${slug}`);
    await articles.publish('art-edited', 3, 'acc-staff');
    await articles.seed(all('three'));
    expect(await Promise.all(Object.keys(changes).map(read))).toEqual(['theirs', undefined, 'one']);

    await articles.seed([guide('one', 'moved')]);
    await articles.edit('art-moved', { slug: 'elsewhere', position: 3, reason: 'x' }, 'acc-staff');
    await articles.seed([guide('two', 'moved')]);
    expect([await read('moved'), await read('elsewhere')]).toEqual([undefined, 'two']);
  });

  test('keeps an address that operators have given to an article of their own', async () => {
    await articles.create({ ...guide('theirs'), kind: 'help', reason: 'x' }, 'acc-staff');
    await articles.seed([guide('ours')]);
    expect(await rows()).toMatchObject([{ slug: 'ssh', state: 'draft', changed_by: 'acc-staff' }]);
  });

  test('shows today’s amounts, whatever they were when the article was written', async () => {
    await articles.seed([guide('A day: {{cost cpu=8 hours=6}}.')]);
    list = [['cpu', '0.01']];
    expect(await read()).toBe('A day: $0.48.');
    list = [['cpu', '0.02']];
    expect(await read()).toBe('A day: $0.96.');
    expect((await articles.texts(['ssh'], 'en'))[0]?.content).toBe('A day: ….');
  });
});

describe('a placeholder', () => {
  beforeEach(() => {
    list = [
      ['gpu/Tesla-T4', '0.50'],
      ['gpu/NVIDIA-H200', '4.00'],
      ['cpu', '0.01'],
      ['disk', '0.073'],
    ];
  });
  test.each([
    ['the console', '{{console}}/api', 'https://console.example.org/api'],
    ['the first official image', '{{image}}', 'registry.example.org/a/one:1'],
    ['the cheapest GPU that has a price', '{{gpu}}', 'Tesla-T4'],
    ['a cost of that GPU', '{{cost gpu=2 hours=3}}', '$3.00'],
    ['a cost of another', '{{cost gpu=1 model=NVIDIA-H200}}', '$4.00'],
    ['costs of several lengths together', '{{cost gpu=1 cpu=8 hours=6 + disk=100 hours=24}}', '$3.72'],
    ['a part of a cent', '{{cost disk=1}}', '$0.0001'],
    ['what has no price', '{{cost memory=1 cpu=1}}', '(no price set)'],
    [
      'an unknown word',
      '{{secret}} {{cost}} {{cost love=1}} {{console x}}',
      '{{secret}} {{cost}} {{cost love=1}} {{console x}}',
    ],
    ['a size without sense', '{{cost cpu=-1}} {{cost cpu=1e9}}', '{{cost cpu=-1}} {{cost cpu=1e9}}'],
    ['a rent, which is paid ahead', '{{cost host=1}}', '{{cost host=1}}'],
  ])('of %s is filled in, or left', (_, text, filled) => {
    expect(figures().filled(text, 'en')).toBe(filled);
  });
  test('has an example where there are no GPUs and no images', () => {
    const text = figures({ market: () => [], images: () => [] }).filled('{{gpu}} {{image}}', 'zh');
    expect(text).toBe('NVIDIA-H100-80GB-HBM3 library/ubuntu:24.04');
  });
});
