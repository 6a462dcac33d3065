// The login provider that an installation names; none without an issuer.
import { type Config, readText } from '../../platform/config.ts';

export const providersOf = (config: Config) =>
  config.oidcIssuer
    ? [
        {
          id: 'oidc',
          name: config.oidcName,
          issuer: config.oidcIssuer,
          clientId: config.oidcClientId,
          clientSecret: readText(config.oidcClientSecretFile),
        },
      ]
    : [];
