// A tenant's console as staff see it: what such a session reads, and how it begins and ends. Whatever is not named here is refused,
// so that a new route is closed until somebody has thought of it.
import * as z from 'zod';
import { defineRoute, type RouteFacts } from '../../http/define-route.ts';
import { KIND_ROUTES } from '../../http/kind-routes.ts';

/** The lifetime of the ticket, which travels in an address. */
export const VIEW_TICKET_S = 30;
export const VIEW_MINUTES = 30;

const tag = 'account';
const view = z.object({
  token: z.string(),
  expires_at: z.iso.datetime(),
  /** The member of staff who looks. */
  account_id: z.string(),
  account_name: z.string(),
  org_id: z.string(),
  org_name: z.string(),
  reason: z.string(),
});
export type StartedView = z.output<typeof view>;

export const VIEW_ROUTES = {
  startView: defineRoute({
    id: 'startView',
    method: 'POST',
    path: '/auth/v1/view',
    tag,
    summary:
      "Exchanges a ticket of the operators' console for a session that reads one organisation and changes nothing.",
    access: 'public',
    body: z.strictObject({ ticket: z.string().min(1).max(200) }),
    answer: { result: view },
    problems: ['view_ticket'],
    secret: true,
    attemptsPerMinute: 30,
  }),
  endView: defineRoute({
    id: 'endView',
    method: 'POST',
    path: '/auth/v1/view/end',
    tag,
    summary: 'Ends the session of such a view.',
    access: 'account',
    answer: { text: 'ok' },
    problems: ['not_found'],
  }),
};

/**
 * The routes that a view reads. Excluded: terminals, files and logs, because tenants' programs print and store secrets (a notebook prints
 * its token); keys, tokens and kubeconfigs; real names and their pictures; messages, cards and bills, which are for members.
 */
const READ: ReadonlySet<string> = new Set([
  'getMe',
  'getMyOrganization',
  'listOrganizations',
  'listMembers',
  'getPermissionNodes',
  'streamMessages',
  'listRegions',
  'listHostTags',
  'listMounts',
  'getWalletBalances',
  'getSpendCaps',
  'getIdlePolicy',
  'getIdleSavings',
  'showUsage',
  'getPlan',
  'listModelSpace',
  'listModelLibrary',
  'getModel',
  'listDatasets',
  'listDatasetLibrary',
  'getDataset',
  'listDatasetVersions',
  'getDatasetVersion',
  'listDatasetFiles',
  'compareDatasetVersions',
  ...Object.values<Readonly<Record<string, RouteFacts>>>(KIND_ROUTES).flatMap(({ list, read, history, runs, usage }) =>
    [list, read, history, runs, usage].flatMap((route) => (route ? [route.id] : [])),
  ),
]);

/** Pages of the console that show nothing of what a view reads. */
export const MENUS_NOT_VIEWED: ReadonlySet<string> = new Set(['manage/account', 'develop/file']);

/** Whether a session of a view may call it. */
export const mayView = ({ id, method, access }: Pick<RouteFacts, 'id' | 'method' | 'access'>): boolean =>
  id === VIEW_ROUTES.endView.id || (method === 'GET' && (access === 'public' || READ.has(id)));
