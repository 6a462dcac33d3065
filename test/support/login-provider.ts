// A real OpenID Connect provider on this machine, for tests: every visitor is logged in as `person`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

export interface ProviderPerson {
  sub: string;
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
}

export interface LoginProvider {
  client: { issuer: string; clientId: string; clientSecret: string };
  person: ProviderPerson;
  /** Plays a browser there. Returns the address it is sent back to. */
  signIn(url: string): Promise<string>;
  close(): Promise<void>;
}

export async function openLoginProvider(callbackUrl: string): Promise<LoginProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { issuer, clientId: 'gantry', clientSecret: 'gantry-secret' };
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [callbackUrl],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    cookies: { keys: ['for tests'] },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...opened.person }) }),
    // The person agrees to everything.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/interaction/')) return answer(req, res);
    return provider.interactionFinished(req, res, { login: { accountId: opened.person.sub } });
  });
  const opened: LoginProvider = {
    client,
    person: { sub: 'nobody' },
    async signIn(url) {
      const cookies = new Map<string, string>();
      let at = url;
      for (let hop = 0; hop < 10 && at.startsWith(issuer); hop++) {
        const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
        const { headers } = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const each of headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
          cookies.set(name, value);
        }
        at = new URL(headers.get('location') ?? '', at).href;
      }
      return at;
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
  return opened;
}
