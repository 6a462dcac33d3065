// Which requests are nobody's use of a service: health checks and robots. They neither wake it nor keep it awake.
import type { IncomingMessage } from 'node:http';

/**
 * Names of programs that send requests by themselves, in lower case, anywhere in User-Agent. A person's browser contains none of these; a
 * robot that hides keeps a service awake, at its owner's cost and in the owner's request log.
 */
const PASSIVE_AGENTS: readonly string[] = [
  // Health checks of orchestrators and balancers.
  'kube-probe/',
  'googlehc/',
  'elb-healthchecker/',
  'amazon-route53-health-check',
  'health check',
  'healthcheck',
  'consul health',
  'envoy/hc',
  'haproxy',
  'cloudflare-healthchecks',
  'cloudflare-traffic-manager',
  'azure traffic manager',
  // Monitoring.
  'prometheus/',
  'blackbox',
  'uptimerobot/',
  'uptime-kuma/',
  'pingdom',
  'statuscake',
  'site24x7',
  'better uptime bot',
  'betterstack',
  'datadog/synthetics',
  'datadogsynthetics',
  'newrelicpinger',
  'checkly/',
  'zabbix',
  'nagios',
  'check_http/',
  // Robots: most say so with one of these words.
  'bot/',
  'bot;',
  'bot)',
  'bot ',
  'crawler',
  'spider',
  'slurp',
  'facebookexternalhit',
  'censysinspect',
  'expanse',
  'zgrab',
  'masscan',
  'nmap scripting',
];
const PASSIVE = new RegExp(PASSIVE_AGENTS.map((word) => word.replace(/[/.()]/g, '\\$&')).join('|'), 'i');
const MOST_AGENT_LETTERS = 512;
const MOST_KNOWN = 500;
/** Most visitors say the same, and reading it costs more than finding it here. */
const known = new Map<string, boolean>();

function isPassiveAgent(agent: string): boolean {
  const text = agent.length > MOST_AGENT_LETTERS ? agent.slice(0, MOST_AGENT_LETTERS) : agent;
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const is = PASSIVE.test(text);
  known.set(text, is);
  return is;
}

/**
 * Also passive: a bare GET or HEAD of the service's own readiness path, which balancers of others poll; not that of `/`, which
 * people open. A person who uses the service brings a cookie or a token.
 */
export function isPassive(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  readinessPath: string | undefined,
): boolean {
  const agent = headers['user-agent'];
  if (agent !== undefined && isPassiveAgent(agent)) return true;
  if (readinessPath === undefined || readinessPath === '/' || (method !== 'GET' && method !== 'HEAD')) return false;
  if (headers.cookie !== undefined || headers.authorization !== undefined) return false;
  return url === readinessPath || (url.startsWith(readinessPath) && url[readinessPath.length] === '?');
}
