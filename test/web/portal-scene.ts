// The portal with something on each page, and the console that it leads to: a whole gateway in this process, over an API server in
// memory, so that its stories need no cluster.
import { ORGANIZATION_ROUTES } from '@gantry/contract/areas/identity/organization.ts';
import { factsOf, PAGES, type PageName } from '@gantry/contract/areas/portal/pages.ts';
import { API_VERSION, type KubeObject } from '@gantry/contract/define-kind.ts';
import { BIG, plantShelves, portalNodes } from '../../api/src/areas/portal/testing/plant-shelves.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { builtConsole, builtPortal } from '../../hack/web-apps.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';
import { type MemoryGateway, startMemoryGateway } from '../support/memory-gateway.ts';
import { migratedPglite } from '../support/prepared-databases.ts';

export interface PortalScene {
  readonly gateway: MemoryGateway;
  /** Origins, as browsers know them. */
  readonly url: string;
  readonly consoleUrl: string;
}

/** Of the people of `startMemoryGateway`; the gateway finds it as the operator leaves it. */
const readyOrganization: KubeObject = {
  apiVersion: API_VERSION,
  kind: 'Organization',
  metadata: { name: 'acmeorgs', uid: 'acmeorgs', generation: 1 },
  spec: {},
  status: { observedGeneration: 1, phase: 'ready', namespace: 'org-acmeorgs', conditions: [] },
} as unknown as KubeObject;

/** Ends with its gateway. */
export async function openPortalScene(...flags: string[]): Promise<PortalScene> {
  const [consoleDir, portalDir] = [await builtConsole(), await builtPortal()];
  const [port, portalPort] = await freePorts(2);
  const [consoleUrl, url] = [`http://localhost:${port}`, `http://localhost:${portalPort}`];
  const db = await openDatabase({ memory: true, from: await migratedPglite() });
  const gateway = await startMemoryGateway({
    db,
    flags: [
      `--port=${port}`,
      `--public-url=${consoleUrl}`,
      `--console-dir=${consoleDir}`,
      `--portal-dir=${portalDir}`,
      `--portal-port=${portalPort}`,
      `--portal-url=${url}`,
      ...flags,
    ],
    objects: [...portalNodes(), readyOrganization],
  });
  try {
    await plantShelves(db);
    const seen = { params: { org_id: 'acmeorgs' }, body: { is_new: false } } as const;
    await gateway.client(gateway.tokens.owner).must(ORGANIZATION_ROUTES.seeOrganization, seen);
    // Shelves, articles and prices are looked at every other second.
    await eventually('there is something on each page', async () => {
      for (const path of [`/computingCenter/${BIG}`, '/model/mdl-shown', '/helpCenter/first-instance'])
        if ((await fetch(`${url}/en${path}`)).status !== 200) return false;
      return (await (await fetch(`${url}/en/computingCenter.md`)).text()).includes('3.00');
    });
    return { gateway, url, consoleUrl };
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}

/** What stands for the parameter of a page. */
const SHOWN: Partial<Record<PageName, string>> = {
  computing: BIG,
  model: 'mdl-shown',
  datasetDetail: 'dst-shown',
  article: 'first-instance',
  apiArea: 'instance',
};

/** A path of each page, without its language. */
export const PORTAL_PATHS: readonly string[] = (Object.keys(PAGES) as PageName[]).map((name) =>
  factsOf(name).path.replace(/\{\w+\}/, () => {
    const value = SHOWN[name];
    if (value === undefined)
      throw new Error(`what stands for the parameter of ${name}? portal-scene.ts does not know it`);
    return value;
  }),
);
