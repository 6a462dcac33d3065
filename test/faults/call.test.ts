import { expect, test } from '@jest/globals';
import { type Call, parseCall } from './call.ts';

const parse = (line: string, contentType = 'application/json', body = '') => {
  const [method = '', url = ''] = line.split(' ');
  return parseCall(1, { method, url, contentType, body: Buffer.from(body) });
};

const NAMED: readonly (readonly [string, string, Partial<Call>])[] = [
  ['GET /api/v1/pods', 'list pods', { namespace: '', name: '', isWrite: false }],
  ['GET /api/v1/namespaces/a/pods?watch=1', 'watch pods', { namespace: 'a' }],
  ['GET /api/v1/pods?watch=false', 'list pods', {}],
  ['GET /api/v1/namespaces/a/pods/x', 'get pods', { namespace: 'a', name: 'x' }],
  ['GET /api/v1/namespaces', 'list namespaces', {}],
  ['GET /api/v1/namespaces/a', 'get namespaces', { namespace: '', name: 'a' }],
  ['PUT /api/v1/namespaces/a/finalize', 'update namespaces/finalize', { namespace: '', name: 'a', isWrite: true }],
  ['GET /apis/gantry.dev/v1alpha1/gpuinstances', 'list gpuinstances', { group: 'gantry.dev', version: 'v1alpha1' }],
  ['PATCH /api/v1/nodes/n1/status', 'patch nodes/status', { name: 'n1', subresource: 'status', isWrite: true }],
  ['DELETE /api/v1/namespaces/a/pods/x', 'delete pods', { isWrite: true }],
  ['DELETE /api/v1/namespaces/a/pods', 'deletecollection pods', { isWrite: true }],
  ['PUT /api/v1/namespaces/a/pods/x?dryRun=All', 'update pods', { dryRun: true, isWrite: false }],
  ['POST /api/v1/namespaces/a/serviceaccounts/s/token', 'create serviceaccounts/token', { isWrite: false }],
  [
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    'create selfsubjectaccessreviews',
    { isWrite: false },
  ],
  ['GET /version', 'get /version', { version: '', name: '' }],
  ['GET /apis', 'get /apis', {}],
  ['GET /apis/apps/v1', 'get /apis/apps/v1', {}],
];

test.each(NAMED)('%s is %s', (line, title, fields) => {
  expect(parse(line)).toMatchObject({ title, ...fields });
});

test('a server-side apply is told from other patches by its content type', () => {
  const line = 'PATCH /apis/gantry.dev/v1alpha1/namespaces/a/gpuinstances/x/status?fieldManager=gantry';
  expect(parse(line, 'application/apply-patch+yaml')).toMatchObject({
    title: 'apply gpuinstances/status',
    namespace: 'a',
    name: 'x',
    fieldManager: 'gantry',
  });
  expect(parse(line, 'application/merge-patch+json').title).toBe('patch gpuinstances/status');
});

test('a create is named by its body', () => {
  const line = 'POST /api/v1/namespaces/a/pods';
  expect(parse(line, 'application/json', '{"metadata":{"name":"x"}}').name).toBe('x');
  expect(parse(line, 'application/json', '{"metadata":{"generateName":"x-"}}').name).toBe('');
  expect(parse(line, 'application/json', 'not JSON').name).toBe('');
});
