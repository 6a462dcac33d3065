// The bodies that a service's form makes: the contract accepts what the form starts with, and a change is what was changed.
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { expect, test } from '@jest/globals';
import { EMPTY_SERVICE, type ServiceValues, serviceBody, serviceChange, serviceValuesOf } from './service-values.ts';

const filled = (more: Partial<ServiceValues> = {}): ServiceValues => ({
  ...EMPTY_SERVICE,
  displayName: 'chat',
  image: 'vllm/vllm-openai:v0.6.0',
  ...more,
});
const { create, change } = containerService.api.writes;

test('what the form begins with, and a name and an image, is a service', () => {
  expect(create.safeParse(serviceBody(filled())).error).toBeUndefined();
  expect(create.safeParse(serviceBody(filled({ isScaled: true }))).error).toBeUndefined();
});

test('the values of a service make the same service again', () => {
  const values = filled({ isScaled: true, readiness: { path: '/healthz', port: undefined, timeoutSeconds: 5 } });
  const { displayName = '', ...spec } = create.parse(serviceBody(values));
  expect(serviceChange(values, serviceValuesOf({ id: 'svc-1', name: displayName, spec }))).toEqual({});
});

test('a service that becomes automatic keeps its number, which nobody reads', () => {
  const before = filled();
  const body = serviceChange(before, { ...before, isScaled: true });
  expect(Object.keys(body)).toEqual(['autoscaling']);
  expect(change.safeParse(body).error).toBeUndefined();
});

test('one that is published no more loses its address', () => {
  const before = filled();
  expect(serviceChange(before, { ...before, isPublished: false })).toEqual({ publish: null });
});

test('only a PromQL metric has a query', () => {
  const metrics: ServiceValues['autoscaling']['metrics'] = [
    { type: 'CPU', target: 70, query: 'up' },
    { type: 'PromQL', target: 1, query: ' up ' },
  ];
  const body = serviceBody(filled({ isScaled: true, autoscaling: { ...EMPTY_SERVICE.autoscaling, metrics } }));
  expect(body.autoscaling?.metrics).toEqual([
    { type: 'CPU', target: 70 },
    { type: 'PromQL', target: 1, query: 'up' },
  ]);
});
