// What counts as making an instance by kubectl, which is refused while new instances are closed.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { isCreation } from './open-kube-gate.ts';

const base = `/apis/${GROUP}/v1/namespaces/org-acme/gpuinstances`;
const exists = ({ namespace, name }: { namespace: string; name: string }) =>
  namespace === 'org-acme' && name === 'there';

test.each([
  ['POST', base, true],
  ['POST', `${base}?fieldManager=kubectl-create`, true],
  ['PATCH', `${base}/new?fieldManager=kubectl&force=true`, true],
  ['PATCH', `${base}/there`, false],
  ['DELETE', `${base}/there`, false],
  ['GET', base, false],
  ['PUT', `${base}/there`, false],
  ['POST', `/apis/${GROUP}/v1/namespaces/org-acme/datadisks`, false],
  ['POST', `/api/v1/namespaces/org-acme/pods/x/exec`, false],
])('%s %s makes an instance: %s', (method, path, makes) => expect(isCreation(method, path, exists)).toBe(makes));
