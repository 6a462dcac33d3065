// Every page of the console, for a member of an organisation with content: it renders, nothing goes wrong on it, and axe finds
// nothing, in both schemes. Pages come from the console's own table; one run of CI covers a third of them.
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { beforeAll, expect } from '@jest/globals';
import { CARD_KEYS } from '../support/card-double.ts';
import { inTurn } from '../support/soak.ts';
import { axeComplaints, axeContrast } from './axe.ts';
import { type PageToSee, pagesToSee } from './pages.ts';
import { type Seeded, seeded } from './seed.ts';
import { setWebStage } from './web-stage.ts';

const TURNS = 3;
const { story, web } = setWebStage();
let seed: Seeded;
let pages: readonly PageToSee[];

beforeAll(async () => {
  const { gateway, mailbox, double, stage } = web();
  const payments = { paymentsUrl: double.url, paymentsKey: CARD_KEYS.secretKey };
  seed = await seeded({ client: gateway.client, mailbox, ...payments }, 'pages_ann');
  stage.adopt(seed.organizationId);
  pages = await pagesToSee(seed);
});

for (const isOpen of [true, false])
  story(`axe finds nothing on any page ${isOpen ? 'before' : 'after'} signing in`, async (stage) => {
    const visitor = await stage.visitor();
    if (!isOpen) await visitor.isSignedInAs(seed.person, seed.organizationId);
    const found: Record<string, readonly string[]> = {};
    const there = pages.filter((page) => page.isOpen === isOpen);
    for (const { path } of inTurn('pages', there, TURNS)) {
      await visitor.goes(path);
      const light = await axeComplaints(visitor);
      await visitor.page.emulateMedia({ colorScheme: 'dark' });
      const dark = await axeContrast(visitor);
      await visitor.page.emulateMedia({ colorScheme: 'light' });
      if (light.length + dark.length > 0) found[path] = [...light, ...dark.map((one) => `dark: ${one}`)];
    }
    expect(found).toEqual({});
    expect(there.length).toBeGreaterThan(isOpen ? 5 : 15);
  });

story(
  'whoever may only look is refused nothing on the pages that are theirs, and led away from the others',
  async (stage) => {
    const { person: viewer } = await stage.tenant('pages_ron');
    const members = [{ account: viewer.name, role: 'viewer' } as const];
    await seed.person.client.must(ORGANIZATION_ROUTES.inviteMembers, {
      params: { org_id: seed.organizationId },
      body: { members },
    });
    await viewer.join(seed.organizationId);
    const visitor = await stage.visitor();
    // The page of a shell says itself why there is none.
    visitor.expects(/403 (GET|POST) .*\/terminal$/);
    await visitor.isSignedInAs(viewer, seed.organizationId);
    const refused: string[] = [];
    const theirs = pages.filter(({ isOpen }) => !isOpen).map(({ path }) => path);
    // The forbidden pages always include one.
    for (const path of new Set([...inTurn('pages', theirs, TURNS), '/manage/billing']))
      if ((await visitor.tries(path)) === '/404') refused.push(path);
    expect(refused).not.toEqual([]);
    expect(refused.filter((path) => !path.startsWith('/manage/billing') && path !== '/404')).toEqual([]);
  },
);
