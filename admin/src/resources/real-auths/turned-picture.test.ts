import { expect, test } from '@jest/globals';
import { boxOf } from './turned-picture.tsx';

const LYING = { width: 800, height: 400 };

test.each([
  ['the whole picture fits its frame', { zoom: 1, turns: 0 }, 'min(100cqw, 200cqh)', '2'],
  ['a turned picture fits its frame with its sides swapped', { zoom: 1, turns: 1 }, 'min(100cqw, 50cqh)', '0.5'],
  ['a turned and enlarged picture can be scrolled over its swapped sides', { zoom: 3, turns: 3 }, '300%', '0.5'],
  ['a picture upside down keeps its sides', { zoom: 3, turns: 2 }, '300%', '2'],
])('%s', (_, view, width, aspectRatio) => {
  const { box, picture } = boxOf(LYING, view);
  expect(box).toEqual({ width, aspectRatio });
  expect(picture.width).toBe(view.turns % 2 === 1 ? '100cqh' : '100cqw');
});
