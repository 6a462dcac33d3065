// Words of areas, and the language that is chosen.
import { expect, test } from '@jest/globals';
import { languageOf } from './language.ts';
import { Words } from './words.ts';

const english = {
  title: 'Disks',
  row: { mounted: '%{name} is on %{host}' },
  count: '%{smart_count} disk |||| %{smart_count} disks',
} as const;

function areaOf(language: 'en' | 'zh') {
  const words = new Words(language);
  words.add('disk', language === 'en' ? english : { ...english, count: '%{smart_count} 块磁盘' });
  return words.of<typeof english>('disk');
}

test('a phrase is found by its path and filled', () => {
  const t = areaOf('en');
  expect(t('title')).toBe('Disks');
  expect(t('row.mounted', { name: 'data', host: 'h1' })).toBe('data is on h1');
});

test.each([
  [1, '1 disk'],
  [2, '2 disks'],
  [0, '0 disks'],
])('%d is counted as English counts', (smart_count, text) => {
  expect(areaOf('en')('count', { smart_count })).toBe(text);
});

test('Chinese has one form for any number', () => {
  expect(areaOf('zh')('count', { smart_count: 1 })).toBe('1 块磁盘');
});

test('two areas may use the same key', () => {
  const words = new Words('en');
  words.add('disk', { title: 'Disks' });
  words.add('host', { title: 'Hosts' });
  expect([words.of<{ title: '' }>('disk')('title'), words.of<{ title: '' }>('host')('title')]).toEqual([
    'Disks',
    'Hosts',
  ]);
});

test('an area whose words did not come with its page is a fault that names it', () => {
  expect(() => new Words('en').of('disk')).toThrow('the words of "disk" are not loaded');
});

test.each([
  [['ja'], 'ja'],
  [['fr-CH', 'zh-TW', 'en'], 'zh'],
  [['EN-gb'], 'en'],
  [['tlh'], 'en'],
  [[], 'en'],
  // Not a member that every object has.
  [['constructor', 'ja'], 'ja'],
])('of %j the page speaks %s', (wanted, language) => {
  expect(languageOf(wanted)).toBe(language);
});
