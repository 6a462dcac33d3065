import { expect, test } from '@jest/globals';
import { againLink } from './again-link.ts';

const plain = { image: 'pytorch/pytorch:2.4.0', gpu: null, cores: 0.1, memory_gi: 0.125, host: null };

test.each([
  ['without a card', plain, '/develop/instance/create?image=pytorch%2Fpytorch%3A2.4.0&cores=0.1&memory=0.125'],
  [
    'with cards on a host',
    { ...plain, gpu: { model: 'Tesla-T4', count: 2 }, host: 'hst-1' },
    '/develop/instance/create?image=pytorch%2Fpytorch%3A2.4.0&cores=0.1&memory=0.125&gpu=Tesla-T4&count=2&host=hst-1',
  ],
])('one %s', (_, like, link) => {
  expect(againLink(like)).toBe(link);
});
