import { expect, test } from '@jest/globals';
import { agentImageSpec } from './official-images.ts';

test("the agent's image runs as nobody, in developers' clusters as in the chart's", async () => {
  expect(await agentImageSpec('package.json')).toMatchObject({ user: '65532:65532', entrypoint: ['/agent'] });
});
