// Ports for servers that are not there yet.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { freePorts } from './free-ports.ts';

test('no two are the same, also of calls at the same time, and nobody is given one by chance', async () => {
  const ports = (await Promise.all([freePorts(20), freePorts(20)])).flat();
  expect(new Set(ports).size).toBe(40);
  const [lowest] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')).split(/\s+/);
  expect(Math.max(...ports)).toBeLessThan(Number(lowest));
});

test('one that is taken is passed over', async () => {
  const [before = 0] = await freePorts(1);
  const server = createServer().listen(before + 1, '127.0.0.1');
  await once(server, 'listening');
  const [after] = await freePorts(1);
  await once(server.close(), 'close');
  expect(after).not.toBe(before + 1);
});
