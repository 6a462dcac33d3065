// axe's findings for people who see, hear or move differently: a sentence for each element that breaks a rule.
import { AxeBuilder } from '@axe-core/playwright';
import type { Visitor } from './visitor.ts';

// Without the legacy mode it opens a separate page each time, for frames of other origins, of which we have none.
const axe = ({ page }: Visitor) => new AxeBuilder({ page }).setLegacyMode(true);

/** None is the only good result. */
export const axeComplaints = (visitor: Visitor): Promise<string[]> => complaints(axe(visitor));

/** Only the rules about colours, which another scheme can break. */
export const axeContrast = (visitor: Visitor): Promise<string[]> =>
  complaints(axe(visitor).withRules(['color-contrast', 'link-in-text-block']));

async function complaints(builder: AxeBuilder): Promise<string[]> {
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary.split('\n').at(1)}`),
  );
}
