// The way out of the installation. While NODE_USE_ENV_PROXY is 1, `fetch` and Node's own agents go through the proxies of HTTPS_PROXY,
// HTTP_PROXY and NO_PROXY; agents that we make go straight to where they are sent, unless they are made here.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';

const isProxied = (): boolean => process.env.NODE_USE_ENV_PROXY === '1';

/** As many as the SDKs that take them have by default. */
const MOST_SOCKETS = 50;

/** For libraries that otherwise make agents of their own. */
export function outwardAgents({
  maxSockets = MOST_SOCKETS,
  ...how
}: {
  lookup?: LookupFunction;
  maxSockets?: number;
} = {}): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { ...how, keepAlive: true, maxSockets, ...(isProxied() && { proxyEnv: process.env }) };
  return { httpAgent: new HttpAgent(options), httpsAgent: new HttpsAgent(options) };
}

const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];

/** Hosts of the proxies; none where nothing goes through one. */
export function proxyHosts(): string[] {
  if (!isProxied()) return [];
  const named = VARIABLES.map((name) => process.env[name] ?? '').filter((url) => URL.canParse(url));
  return named.map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
}
