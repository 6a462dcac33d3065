import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { SteppedClock } from '@gantry/kube/testing/stepped-clock.ts';
import { describe, expect, test } from '@jest/globals';
import { ActivatedServices } from './activated-services.ts';

/** The services of that domain, each by its name and organisation. */
function services(domain: string, ...all: readonly (readonly [name: string, organization: string])[]) {
  const made = new ActivatedServices({ domain, clock: new SteppedClock(), isAddress: () => true });
  for (const [name, organization] of all) {
    const object = {
      kind: 'ContainerService',
      metadata: { name, namespace: `org-${organization}`, uid: `${name} of ${organization}` },
      spec: { power: 'Running', replicas: 1, publish: { port: 8000 } },
      status: {},
    } as unknown as ContainerService;
    made.update(`org-${organization}`, name, object);
  }
  return made;
}

test.each([
  ['a-b', 'c'],
  ['a', 'b-c'],
  ['s'.repeat(40), 'o'.repeat(50)],
])('%s of %s is found by its host', (name, organization) => {
  const found = services('tenants.example', ['a-b', 'c'], ['a', 'b-c'], [name, organization]);
  expect(found.at(`${name}.${organization}.tenants.example`)).toMatchObject({ name, organization });
});

test('letters of a host have no case, and its port does not count', () => {
  const found = services('tenants.example:8443', ['chat', 'acme']);
  expect(found.at('Chat.ACME.Tenants.Example:8443')).toMatchObject({ name: 'chat', organization: 'acme' });
});

describe('a host that is no service’s', () => {
  const long = 's'.repeat(40);
  const all = services('tenants.example', ['chat', 'acme'], ['a', 'b'], ['b', 'acme'], ['a1', 'acme'], [long, 'acme']);
  test.each([
    'tenants.example',
    'acme.tenants.example',
    '8888-dev-acme.tenants.example',
    'a.b.acme.tenants.example',
    '.acme.tenants.example',
    'chat..tenants.example',
    'chat.acme.tenants.example.evil.example',
    'chat.acmetenants.example',
    '1.acme.tenants.example',
    `${'s'.repeat(41)}.acme.tenants.example`,
    'ch%61t.acme.tenants.example',
    'chat.-acme.tenants.example',
    '',
  ])('%j', (host) => expect(all.at(host)).toBeUndefined());
  test('any, without a domain', () => expect(services('', ['chat', 'acme']).at('chat.acme.')).toBeUndefined());
});
