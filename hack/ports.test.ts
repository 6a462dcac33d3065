import { expect, test } from '@jest/globals';
import { layout } from './layout.ts';
import { takenPorts } from './ports.ts';

const cluster = layout('test');
const { ports, bridge } = cluster;
const OURS = 11;
const STRANGER = 12;

/** A line of `ss -Hltnp`, in columns. */
const listens = (address: string, program: string, pid: number) =>
  ['LISTEN', '0', '511', address, '0.0.0.0:*', `users:(("${program}",pid=${pid},fd=21))`] as const;
const taken = (...listening: ReturnType<typeof listens>[]) => takenPorts(cluster, listening, new Set([OURS]));

test('a port that nobody holds is free', () => {
  expect(taken(listens('127.0.0.1:1', 'sshd', STRANGER))).toEqual([]);
});

test('a port that a stranger holds is refused with its name, wherever it listens', () => {
  expect(taken(listens(`127.0.0.1:${ports.payments}`, 'nginx', STRANGER))).toEqual([
    `127.0.0.1:${ports.payments} (for card-double) by nginx, pid ${STRANGER}`,
  ]);
  expect(taken(listens(`*:${ports.etcd}`, 'etcd', STRANGER))).toHaveLength(1);
  expect(taken(listens(`${bridge.ip}:6443`, 'kube-apiserver', STRANGER))).toHaveLength(1);
});

test("the cluster's own relay may hold the ports of other programs of the cluster", () => {
  const relay = [ports.gateway, ports.tenantWeb, ports.admin, ports.payments].map((port) =>
    listens(`127.0.0.1:${port}`, 'MainThread', OURS),
  );
  expect(taken(...relay)).toEqual([]);
});
