// How the installation presents itself to visitors, by its settings.
import { createHash } from 'node:crypto';
import { type Config, logoOf } from '../../platform/config.ts';
import type { Branded } from './pages/serve-portal.ts';

const OUR_LOGO = '/favicon.svg';

export function brandedOf(config: Config): Branded {
  const logo = logoOf(config.portalLogo);
  return {
    brand: {
      name: config.portalName,
      logo: logo ? `/logo-${createHash('sha256').update(logo).digest('hex').slice(0, 16)}.png` : OUR_LOGO,
      accent: config.portalAccent,
      footer: config.portalFooter,
      legalNumber: config.legalNumber,
      market: config.market,
    },
    logo,
  };
}
