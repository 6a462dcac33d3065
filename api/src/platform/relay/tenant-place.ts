// The origin of tenants' web content, which the console's cookies never reach.
import { BadConfig } from '@gantry/kube/options.ts';

export interface TenantPlaceParts {
  /** Without a domain or paths none is served. */
  tenants: { domain: string; hasPaths: boolean; host: string; port: number };
  /** The origins of pages that may open a terminal or a visit; the first is the console's. */
  origins: readonly string[];
}

/** A cookie for the domain above the console's would reach tenants' pages below it. */
export function tenantPlace({ tenants, origins }: TenantPlaceParts): { origin: URL; isWildcard: boolean } | undefined {
  const { domain, hasPaths, host, port } = tenants;
  if (domain === '') {
    if (!hasPaths) return undefined;
    const origin = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
    // Cookies know no ports.
    if (origins.some((one) => new URL(one).hostname === origin.hostname)) {
      throw new BadConfig(`--tenant-host: "${host}" is the console's host too, whose cookies reach every page there`);
    }
    return { origin, isWildcard: false };
  }
  const web = new URL(origins[0] ?? 'http://localhost');
  const origin = new URL(`${web.protocol}//${domain}`);
  // In front of TLS there is somebody else's listener.
  if (origin.protocol === 'http:' && origin.port === '') origin.port = `${port}`;
  const labels = web.hostname.split('.');
  const above = labels.length > 2 ? labels.slice(1).join('.') : web.hostname;
  // Browsers take no cookie for all of a domain of one word, such as localhost.
  if (origin.hostname === web.hostname || (above.includes('.') && `.${origin.hostname}`.endsWith(`.${above}`))) {
    throw new BadConfig(
      `--tenant-domain: "${domain}" shares ${above} with the console, whose cookies reach all below it`,
    );
  }
  return { origin, isWildcard: true };
}
