// The features that a request by kubectl needs open: making instances, and ways into them.
import { GROUP } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { decodedPath, featureOf } from './feature-of.ts';

const base = `/apis/${GROUP}/v1/namespaces/org-acme/gpuinstances`;
const exists = ({ namespace, name }: { namespace: string; name: string }) =>
  namespace === 'org-acme' && name === 'there';

test.each([
  ['POST', base, 'newInstances'],
  ['POST', `${base}?fieldManager=kubectl-create`, 'newInstances'],
  ['POST', base.replace('gpui', 'gpu%69'), 'newInstances'],
  ['POST', base.replace('apis', '%61pis'), 'newInstances'],
  ['POST', base.replace('/v1/', '//v1/./'), 'newInstances'],
  ['POST', `${base}/?dryRun=All`, 'newInstances'],
  ['PATCH', `${base}/new?fieldManager=kubectl&force=true`, 'newInstances'],
  ['PATCH', `${base}/there`, undefined],
  ['DELETE', `${base}/there`, undefined],
  ['GET', base, undefined],
  ['PUT', `${base}/there`, undefined],
  ['POST', `/apis/${GROUP}/v1/namespaces/org-acme/datadisks`, undefined],
  ['POST', `/api/v1/namespaces/org-acme/pods/x/exec`, 'terminal'],
  ['GET', `/api/v1/namespaces/org-acme/pods/x/%65xec?command=sh`, 'terminal'],
  ['POST', `/api/v1/namespaces/org-acme/pods/x/portforward`, 'terminal'],
  ['GET', `/api/v1/namespaces/org-acme/pods/x/attach`, 'terminal'],
  ['GET', `/api/v1/namespaces/org-acme/pods/x/log`, undefined],
  ['GET', `/api/v1/namespaces/org-acme/pods/exec`, undefined],
])('%s %s needs %s', (method, path, needs) => expect(featureOf(method, decodedPath(path) ?? '', exists)).toBe(needs));

test('a path that cannot be decoded is none', () => {
  expect(decodedPath(`${base}/%zz`)).toBeUndefined();
  expect(decodedPath(`${base}/%ff`)).toBeUndefined();
});
