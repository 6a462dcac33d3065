// Which pictures stay with a conversation.
import { MOST_PICTURE_LETTERS } from '@gantry/contract/areas/inference/chats.ts';
import { expect, test } from '@jest/globals';
import { keepPictures } from './kept-pictures.ts';

const small = 'data:image/png;base64,AAAA';
const large = `data:image/png;base64,${'A'.repeat(MOST_PICTURE_LETTERS)}`;

test('pictures are kept with their messages: small ones as they are, others made smaller', async () => {
  const said = [{ content: 'look', images: [small, large] }, { content: 'I see' }];
  expect(await keepPictures(said, async () => 'data:image/jpeg;base64,BBBB')).toEqual([
    { content: 'look', images: [small, 'data:image/jpeg;base64,BBBB'] },
    { content: 'I see' },
  ]);
});

test('one that no browser reads is left out, and what was said stays', async () => {
  expect(await keepPictures([{ content: 'look', images: [large] }], async () => null)).toEqual([{ content: 'look' }]);
});

test('where all are too many, the newest are kept', async () => {
  const each = `data:image/jpeg;base64,${'B'.repeat(MOST_PICTURE_LETTERS - 100)}`;
  const many = Array.from({ length: 10 }, (_, at) => ({ content: `${at}`, images: [each] }));
  const kept = await keepPictures(many, async (url) => url);
  expect(kept.filter(({ images }) => images !== undefined).map(({ content }) => content)).toEqual([
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
  ]);
});

test('a picture is made smaller until it fits, and nothing is fetched for it', async () => {
  const drawn: string[] = [];
  const sizes: number[] = [];
  const context = { fillRect: () => drawn.push('white'), drawImage: () => drawn.push('picture') };
  const canvas = {
    ...{ width: 0, height: 0, getContext: () => context },
    toDataURL() {
      sizes.push(this.width);
      return sizes.length < 3 ? large : 'data:image/jpeg;base64,CCCC';
    },
  };
  class PlayedImage {
    src = '';
    naturalWidth = 2048;
    naturalHeight = 1024;
    decode = async () => undefined;
  }
  const before = { Image: globalThis.Image, fetch: globalThis.fetch, createElement: document.createElement };
  Object.assign(globalThis, { Image: PlayedImage, fetch: () => Promise.reject(new Error('refused by the policy')) });
  document.createElement = (() => canvas) as never;
  try {
    expect(await keepPictures([{ images: [large] }])).toEqual([{ images: ['data:image/jpeg;base64,CCCC'] }]);
  } finally {
    const { createElement, ...globals } = before;
    Object.assign(globalThis, globals);
    document.createElement = createElement;
  }
  expect(sizes).toEqual([1024, 768, 512]);
  expect(drawn.slice(0, 2)).toEqual(['white', 'picture']);
});
