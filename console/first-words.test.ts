// The text of the document before its page has loaded.
import { expect, test } from '@jest/globals';
import { firstWords, firstWordsPlugin } from './first-words.ts';
import type { Area } from './src/area.ts';

const area = (first?: readonly string[], frame?: 'open'): Area => ({
  name: 'entry',
  pages: [{ path: '/login', ...(frame && { frame }), ...(first && { first }), load: () => Promise.reject() }],
});

test('a page says its first words in three languages', async () => {
  expect(await firstWords([area(['login.title'], 'open')])).toEqual({
    '/login': { isOpen: true, en: ['Log in'], zh: ['登录'], ja: ['ログイン'] },
  });
  expect(await firstWords([area()])).toEqual({});
});

test('words that do not exist fail the build', async () => {
  await expect(firstWords([area(['login.nothing'])])).rejects.toThrow('"login.nothing" names no words');
  await expect(firstWords([area(['login'])])).rejects.toThrow('"login" names no words');
});

test('the words cannot end the element they are in', async () => {
  const { transformIndexHtml } = firstWordsPlugin;
  if (typeof transformIndexHtml !== 'function') throw new Error('not a function');
  const page = await (transformIndexHtml as (page: string) => Promise<string>)('<body><!-- first words --></body>');
  const [, json = ''] = /<script type="application\/json" id="first-words">(.*)<\/script>/.exec(page) ?? [];
  expect(json).not.toContain('<');
  expect(JSON.parse(json)['/develop/instance'].en[0]).toBe('Instances');
});
