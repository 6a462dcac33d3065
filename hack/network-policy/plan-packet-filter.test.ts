import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { V1Namespace, V1Pod } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { renderRules } from './packet-filter.ts';
import { type NetworkPolicy, planPacketFilter } from './plan-packet-filter.ts';

const NODE = 'node-0';
const CLOSED = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  ...['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '192.0.0.0/24', '224.0.0.0/3'],
];

const namespace = (name: string): V1Namespace => ({
  metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
});

interface PodShape {
  readonly in: string;
  readonly ip?: string;
  readonly node?: string;
  readonly labels?: Record<string, string>;
  readonly phase?: string;
  readonly hostNetwork?: boolean;
}
const pod = ({ in: where, ip, node = NODE, labels = {}, phase = 'Running', hostNetwork = false }: PodShape): V1Pod => ({
  metadata: { namespace: where, labels },
  spec: { nodeName: node, hostNetwork, containers: [] },
  status: { phase, ...(ip === undefined ? {} : { podIP: ip }) },
});

/** The policies that the product writes into every organisation's namespace, from its own golden file. */
const golden = await readFile('operator/src/kinds/organization/golden/organization.yaml', 'utf8');
const tenantPolicy: NetworkPolicy = parseAllDocuments(golden)
  .map((document) => document.toJS())
  .find(({ kind }) => kind === 'NetworkPolicy');
const organisationPolicy = (where: string): NetworkPolicy => ({
  ...tenantPolicy,
  metadata: { name: 'tenant', namespace: where },
});

const namespaces = ['org-a', 'org-b', 'gantry-system', 'kube-system'].map(namespace);
const everyone = [
  pod({ in: 'org-a', ip: '10.80.0.2' }),
  pod({ in: 'org-a', ip: '10.80.1.2', node: 'node-1' }),
  pod({ in: 'org-b', ip: '10.80.0.3' }),
  pod({ in: 'gantry-system', ip: '10.80.0.4' }),
  pod({ in: 'kube-system', ip: '10.80.0.5', labels: { 'k8s-app': 'kube-dns' } }),
];

/** Rules with every set's name replaced by its members. */
function meaning(policies: readonly NetworkPolicy[], pods: readonly V1Pod[] = everyone) {
  const { filter, notEnforced } = planPacketFilter(NODE, { policies, namespaces, pods });
  const spelled = (rule: string) =>
    rule
      .replace(/gantry-[0-9a-f]+/g, (name) => `{${filter.sets.get(name)?.members.join(' ')}}`)
      .replaceAll('-m set ', '');
  return {
    egress: filter.rules.egress.map(spelled),
    ingress: filter.rules.ingress.map(spelled),
    isolated: filter.sets.get('gantry-egress')?.members,
    notEnforced,
  };
}

test("an organisation's Pod reaches DNS, its own namespace and public addresses, and is reached by its own and the platform", () => {
  expect(meaning([organisationPolicy('org-a')])).toEqual({
    isolated: ['10.80.0.2'],
    egress: [
      '--match-set {10.80.0.2} src --match-set {10.80.0.5} dst -p udp -m udp --dport 53',
      '--match-set {10.80.0.2} src --match-set {10.80.0.5} dst -p tcp -m tcp --dport 53',
      '--match-set {10.80.0.2} src --match-set {10.80.0.2 10.80.1.2} dst',
      `--match-set {10.80.0.2} src ! --match-set {${CLOSED.join(' ')}} dst`,
    ],
    ingress: [
      '--match-set {10.80.0.2} dst --match-set {10.80.0.2 10.80.1.2} src',
      '--match-set {10.80.0.2} dst --match-set {10.80.0.4} src',
    ],
    notEnforced: ['org-a/tenant: ::/0 is IPv6, which these Pods do not have'],
  });
});

test('networks that the installation allows stay open beside an IPv6 peer', () => {
  const allowed = { ipBlock: { cidr: '10.1.0.0/16' } };
  expect(meaning([egressOf({ to: [{ ipBlock: { cidr: '::/0' } }, allowed] })]).egress).toEqual([
    '--match-set {10.80.0.2} src -d 10.1.0.0/16',
  ]);
});

test('a namespace without a policy, or without a Pod on this node, costs no rule', () => {
  expect(meaning([organisationPolicy('org-b')], everyone.slice(0, 2))).toEqual({
    isolated: [],
    egress: [],
    ingress: [],
    notEnforced: [],
  });
});

test.each<[string, PodShape]>([
  ['has no address yet', { in: 'org-a' }],
  ['has finished, so that its address may be another Pod’s', { in: 'org-a', ip: '10.80.0.9', phase: 'Failed' }],
  ['is on the host’s network', { in: 'org-a', ip: '10.64.0.10', hostNetwork: true }],
])('a Pod that %s is in no set', (_, shape) => {
  expect(meaning([organisationPolicy('org-a')], [...everyone, pod(shape)])).toEqual(
    meaning([organisationPolicy('org-a')]),
  );
});

const egressOf = (rule: NonNullable<NonNullable<NetworkPolicy['spec']>['egress']>[number]): NetworkPolicy => ({
  metadata: { name: 'p', namespace: 'org-a' },
  spec: { podSelector: {}, policyTypes: ['Egress'], egress: [rule] },
});

test.each<[string, NetworkPolicy, string[]]>([
  ['no peer means anybody', egressOf({ ports: [{ port: 53, protocol: 'UDP' }] }), [' -p udp -m udp --dport 53']],
  ['no port means every port', egressOf({ to: [{ ipBlock: { cidr: '1.2.3.0/24' } }] }), [' -d 1.2.3.0/24']],
  ['a range of ports', egressOf({ ports: [{ port: 80, endPort: 90 }] }), [' -p tcp -m tcp --dport 80:90']],
  ['a protocol alone', egressOf({ ports: [{ protocol: 'UDP' }] }), [' -p udp']],
  ['nothing at all means everything', egressOf({}), ['']],
])('%s', (_, policy, rules) => {
  expect(meaning([policy]).egress).toEqual(rules.map((rule) => `--match-set {10.80.0.2} src${rule}`));
});

test.each<[string, NetworkPolicy, string]>([
  ['a port by name', egressOf({ ports: [{ port: 'http' }] }), 'port "http" by name'],
  ['SCTP', egressOf({ ports: [{ protocol: 'SCTP' }] }), 'protocol SCTP'],
  ['IPv6', egressOf({ to: [{ ipBlock: { cidr: '::/0' } }] }), '::/0 is IPv6'],
])('%s stays closed and is named', (_, policy, why) => {
  const { egress, isolated, notEnforced } = meaning([policy]);
  expect({ egress, isolated }).toEqual({ egress: [], isolated: ['10.80.0.2'] });
  expect(notEnforced).toEqual([expect.stringContaining(`org-a/p: ${why}`)]);
});

test('a policy for ingress alone leaves egress open', () => {
  const policy: NetworkPolicy = { metadata: { name: 'p', namespace: 'org-a' }, spec: { podSelector: {} } };
  expect(meaning([policy])).toEqual({ isolated: [], egress: [], ingress: [], notEnforced: [] });
});

test('packets that no rule allows are dropped, answers pass, and the way to the node itself is covered', () => {
  const { filter } = planPacketFilter(NODE, { policies: [organisationPolicy('org-a')], namespaces, pods: everyone });
  const lines = renderRules(filter).split('\n');
  expect(lines.filter((line) => line.startsWith('-A GANTRY-EGRESS')).at(-1)).toBe('-A GANTRY-EGRESS -j DROP');
  expect(lines.filter((line) => line.startsWith('-A GANTRY-POLICY'))).toEqual([
    '-A GANTRY-POLICY -m conntrack --ctstate ESTABLISHED,RELATED -j RETURN',
    '-A GANTRY-POLICY -m set --match-set gantry-egress src -j GANTRY-EGRESS',
    '-A GANTRY-POLICY -m set --match-set gantry-ingress dst -j GANTRY-INGRESS',
  ]);
  expect(lines).toContain('-A INPUT -j GANTRY-POLICY');
});
