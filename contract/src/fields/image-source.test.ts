import { expect, test } from '@jest/globals';
import { IMAGE_SOURCE } from './image-source.ts';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

test.each([
  ['pytorch/pytorch:2.4.0', true],
  [`pytorch/pytorch@${DIGEST}`, true],
  [`pytorch/pytorch:2.4.0@${DIGEST}`, true],
  [`registry.example.org:5000/team/app@${DIGEST}`, true],
  ['pytorch/pytorch', false],
  ['pytorch/pytorch@latest', false],
  [`pytorch/pytorch@${DIGEST.slice(0, -1)}`, false],
  [`pytorch/pytorch@${DIGEST.toUpperCase()}`, false],
  [`pytorch/pytorch@${DIGEST}:2.4.0`, false],
  [`@${DIGEST}`, false],
  ['busybox:1.36', false],
])('%s is an image source: %s', (source, isOne) => expect(IMAGE_SOURCE.test(source)).toBe(isOne));
