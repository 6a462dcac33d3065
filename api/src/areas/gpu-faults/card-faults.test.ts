// The marks of a node's cards, look by look.
import type { CardFault } from '@gantry/contract/gpu-conditions.ts';
import { expect, test } from '@jest/globals';
import { type CardReading, nextCardFaults } from './card-faults.ts';

const THEN = '2026-11-10T00:00:00Z';
const NOW = '2026-11-10T00:01:00Z';
const BOOT = 'boot-1';
const card = (xids: readonly number[], holders: readonly string[] = ['org-acme/train-1']): CardReading => ({
  ...{ uuid: 'GPU-a', gpu: '0', xids, holders },
});
const fault = (over: Partial<CardFault> = {}): CardFault => ({
  ...{ uuid: 'GPU-a', gpu: '0', xids: [79], since: THEN, boot: BOOT, holders: ['org-acme/train-1'] },
  ...over,
});
const cleared = fault({ isCleared: true });

const ROWS: Record<
  string,
  { before?: CardFault[]; cards: CardReading[]; boot?: string; unnamed?: true; after: CardFault[] }
> = {
  'a fatal code marks the card': { cards: [card([79])], after: [fault({ since: NOW })] },
  'errors of programs, and events that NVIDIA ignores, mark none': { cards: [card([13, 31, 43, 45, 63])], after: [] },
  'of several codes the fatal ones are told': {
    cards: [card([45, 48, 94, 48])],
    after: [fault({ xids: [48, 94], since: NOW })],
  },
  'a card that is marked is marked once': { before: [fault()], cards: [card([79])], after: [fault()] },
  'what follows is told beside it': { before: [fault()], cards: [card([154])], after: [fault({ xids: [79, 154] })] },
  'a later error of a program mends nothing': { before: [fault()], cards: [card([13])], after: [fault()] },
  'an exporter that starts anew mends nothing': { before: [fault()], cards: [card([])], after: [fault()] },
  'a card without a value mends nothing': { before: [fault()], cards: [], boot: 'boot-2', after: [fault()] },
  'a node that was started again, and reports none, is sound': {
    before: [fault()],
    cards: [card([])],
    boot: 'boot-2',
    after: [],
  },
  'one that fails again at once still has its fault': {
    before: [fault()],
    cards: [card([79])],
    boot: 'boot-2',
    after: [fault()],
  },
  'who takes the card next is affected, too': {
    before: [fault()],
    cards: [card([79], ['org-b/next'])],
    after: [fault({ holders: ['org-acme/train-1', 'org-b/next'] })],
  },
  'an exporter that names no Pods affects whoever is there': {
    cards: [card([79], [])],
    unnamed: true,
    after: [{ uuid: 'GPU-a', gpu: '0', xids: [79], since: NOW, boot: BOOT }],
  },
  'a free card affects nobody': { cards: [card([79], [])], after: [fault({ since: NOW, holders: [] })] },
  'what staff cleared stays so while its exporter repeats itself': {
    before: [cleared],
    cards: [card([79])],
    after: [cleared],
  },
  'and is forgotten when it no longer does': { before: [cleared], cards: [card([13])], after: [] },
  'another fatal code of a cleared card is a fault': {
    before: [cleared],
    cards: [card([79, 119])],
    after: [fault({ xids: [119], since: NOW })],
  },
};

test.each(Object.entries(ROWS))('%s', (_, { before = [], cards, boot = BOOT, unnamed, after }) => {
  expect(nextCardFaults(before, { cards, namesHolders: !unnamed }, { now: NOW, boot })).toEqual(after);
});
