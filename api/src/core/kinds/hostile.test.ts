// One object that a tenant filled with what the schema admits and nobody means: it is shown, or its whole list would not be.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { expect, test } from '@jest/globals';
import { hostileCopies, readOnce } from '../../../../test/support/hostile.ts';
import { SOUND } from '../../../../test/support/sound-objects.ts';
import { nameOf } from '../../platform/kube/list-order.ts';
import { cardsHeld } from './stock.ts';
import { historyOf, toView } from './to-view.ts';

const REGION = { id: 'us-east', label: 'US East' };

/** Their views hold whatever the stored status says, also one that an older schema admitted. */
const ANY_STATUS: ReadonlySet<string> = new Set(['job', 'containerService']);

test.each(Object.entries(KINDS) as [keyof typeof KINDS, KindFacts][])(
  'a hostile %s is shown, so that its list is',
  (key, facts) => {
    const specOf = readOnce((part) => facts.spec.safeParse(part).data);
    const isStatus = readOnce((part) => facts.status.optional().safeParse(part).success);
    const faults = [...hostileCopies(SOUND[key])].flatMap(({ what, object }) => {
      const spec = specOf(object.spec);
      if (!spec || !(ANY_STATUS.has(key) || isStatus(object.status))) return [];
      try {
        JSON.stringify(
          toView(facts, { ...object, spec } as never, { language: 'zh', role: 'member' }, { region: REGION }),
        );
        JSON.stringify(historyOf(facts, object, { language: 'zh', role: 'visitor' }));
        String(nameOf(object));
        if (key === 'gpuInstance') cardsHeld(object as never);
        return [];
      } catch (error) {
        return [`${what}: ${(error as Error).message}`];
      }
    });
    expect(faults).toEqual([]);
  },
);
