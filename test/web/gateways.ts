// The gateway of the consoles' stories: one on its embedded database; in the soak two on PostgreSQL, and each connection of a browser
// goes to the other one.
import { freePorts } from '../support/free-ports.ts';
import { type GatewayOptions, GatewayProcess } from '../support/gateway.ts';
import { HttpClient } from '../support/http-client.ts';
import { type Front, inFrontOf } from '../support/in-front-of.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { isSoak } from '../support/soak.ts';
import type { Administrator } from '../support/test-cluster.ts';

export type Gateways = Pick<
  GatewayProcess,
  'client' | 'url' | 'consoleUrl' | 'adminUrl' | 'administrator' | 'kill' | 'exited' | 'restart' | 'close'
>;

export const startGateways = (admin: Administrator, options: GatewayOptions): Promise<Gateways> =>
  isSoak ? two(admin, options) : GatewayProcess.start(admin, options);

/** The first gateway is the one that is killed; the second goes on. */
async function two(admin: Administrator, options: GatewayOptions): Promise<Gateways> {
  const server = await startPostgres();
  const gateways: GatewayProcess[] = [];
  const turns = { console: 0, admin: 0 };
  const portOf = (of: keyof typeof turns) => {
    const alive = gateways.filter((one) => one.pid() !== undefined);
    const one = alive[turns[of]++ % Math.max(alive.length, 1)];
    return Number(new URL((of === 'console' ? one?.url : one?.adminUrl) ?? 'http://127.0.0.1:9').port);
  };
  const fronts: Front[] = await Promise.all([inFrontOf(() => portOf('console')), inFrontOf(() => portOf('admin'))]);
  const [url = '', adminUrl = ''] = fronts.map(({ port }) => `http://localhost:${port}`);
  const close = async () => {
    await Promise.all(fronts.map((front) => front.close()));
    await Promise.all(gateways.map((one) => one.close()));
    await server.end();
  };
  try {
    const databaseUrl = await server.createDatabase('gantry');
    const [tenantPort, metricsPort] = await freePorts(2);
    const own = [`--tenant-port=${tenantPort}`, `--metrics-port=${metricsPort}`];
    for (const flags of [[], own])
      gateways.push(
        await GatewayProcess.start(admin, {
          ...options,
          databaseUrl,
          // The last of two equal flags counts.
          flags: [...(options.flags ?? []), `--public-url=${url}`, `--admin-url=${adminUrl}`, ...flags],
        }),
      );
    const [first] = gateways as [GatewayProcess];
    const direct = `http://127.0.0.1:${fronts[0]?.port}`;
    return {
      client: new HttpClient(() => direct),
      ...{ url: direct, consoleUrl: url, adminUrl, close },
      administrator: () => first.administrator(),
      kill: () => first.kill(),
      exited: () => first.exited(),
      restart: () => first.restart(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
