// A picture that is turned and enlarged stays within what can be scrolled to.
import { expect, test } from '@jest/globals';
import { shownSize } from './turned-picture.tsx';

const OWN = { width: 800, height: 400 };
const FRAME = { width: 300, height: 500 };

test.each([
  ['the whole picture fits', { zoom: 1, turns: 0 }, { width: 300, height: 150 }],
  ['turned, it fits the other way', { zoom: 1, turns: 1 }, { width: 250, height: 500 }],
  ['upside down it is as large as upright', { zoom: 1, turns: 2 }, { width: 300, height: 150 }],
  ['enlarged and turned, the room grows with it', { zoom: 2, turns: 3 }, { width: 500, height: 1000 }],
])('%s', (_, view, size) => {
  expect(shownSize(OWN, FRAME, view)).toMatchObject(size);
});
