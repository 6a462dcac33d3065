// How requests reach Pods: straight to their addresses, or through the API server where these lead nowhere from here.
import type { Config } from '../config.ts';
import { podAgent } from './pod-stream.ts';

/** Undefined: straight. */
export const wayToPods = (
  { serviceNetwork }: Pick<Config, 'serviceNetwork'>,
  client: Parameters<typeof podAgent>[0],
) =>
  serviceNetwork === 'proxy'
    ? (at: Parameters<typeof podAgent>[1], port: number) => podAgent(client, at, port)
    : undefined;
