// gantry.dev/paused: the operator leaves one object alone, whatever happens to it, until the annotation is gone.
import { ANNOTATION } from '@gantry/contract/names.ts';
import { expect, test } from '@jest/globals';
import { setStage } from './stage.ts';

const stage = setStage();

test('a paused instance is left alone, and goes on where it was; its owner cannot pause it', async () => {
  const acme = await stage().organization('paused', { members: [{ account: 'ada', role: 'owner' }] });
  const dev = await acme.instance('dev');
  await dev.reaches('running');

  const ada = await acme.kubectlAs('ada');
  const refused = await ada.run(['annotate', 'gpuinstance', 'dev', `${ANNOTATION.paused}=yes`]);
  expect(refused.stderr).toContain(`metadata.annotations: ${ANNOTATION.paused} is set by platform staff alone`);

  await dev.annotate({ [ANNOTATION.paused]: 'yes' });
  await dev.wish({ power: 'Stopped' });
  // The operator looks at things in the order of one watch: it has passed over the paused one when this one runs.
  await (await acme.instance('other')).reaches('running');
  expect(dev.now.status).toMatchObject({ phase: 'running', observedGeneration: 1 });
  expect(dev.pod(1).spec).not.toHaveProperty('activeDeadlineSeconds');

  await dev.annotate({ [ANNOTATION.paused]: null });
  await dev.reaches('stopped');
});
