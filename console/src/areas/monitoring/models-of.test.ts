import { expect, test } from '@jest/globals';
import { type Card, modelsOf } from './models-of.ts';

const card = (model: string, utilization: number | null) => ({ model, utilization }) as Card;

test('cards are put together by model; what has no data is neither idle nor zero', () => {
  const cards = [card('NVIDIA H100', 80), card('NVIDIA H100', 0), card('NVIDIA H100', null), card('Tesla T4', null)];
  const facts = { price: 2, free: 5, total: 16 };
  expect(modelsOf(cards, (type) => (type === 'NVIDIA-H100' ? facts : undefined))).toEqual([
    {
      ...{ model: 'NVIDIA H100', cards: 3, idle: 1, utilization: 40, perHour: 6, idlePerHour: 2 },
      stock: { free: 5, total: 16 },
    },
    { model: 'Tesla T4', cards: 1, idle: 0, utilization: null, perHour: null, idlePerHour: null, stock: null },
  ]);
});
