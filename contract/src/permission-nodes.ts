// The menus and elements that a person sees, as nodes of the spec. Everything is derived: menus from MENUS × rights and from the kinds,
// elements from the routes that change something and from the kinds' actions. A right is the only key; nothing is granted by name.
import type { KindFacts } from './define-kind.ts';
import {
  ADMIN_MENUS,
  MENUS,
  mayStaff,
  mayStaffCall,
  type PlatformRole,
  type Right,
  type StaffAccess,
} from './roles.ts';

export interface PermissionNode {
  pname: string;
  peltype: 'menu' | 'element';
}

/** The part of a route's facts that matters here. */
export interface NodeRoute {
  id: string;
  method: string;
  access: 'public' | 'account' | { right: Right } | StaffAccess;
}

const menu = (pname: string): PermissionNode => ({ pname, peltype: 'menu' });
const element = (pname: string): PermissionNode => ({ pname, peltype: 'element' });

/** Reading has no button. */
const changes = ({ method }: NodeRoute): boolean => method !== 'GET';

export const menusOf = (kinds: Readonly<Record<string, Pick<KindFacts, 'menu'>>>): string[] => [
  ...new Set(Object.values(kinds).flatMap(({ menu: name }) => name ?? [])),
];

/** For the tenant's console. `rights` are the role's, or those of them that an API token was narrowed to. */
export function tenantNodes(
  rights: readonly Right[],
  routes: readonly NodeRoute[],
  kinds: Readonly<Record<string, Pick<KindFacts, 'actions' | 'menu'>>>,
): PermissionNode[] {
  const has = (right: Right) => rights.includes(right);
  return [
    ...Object.entries(MENUS).flatMap(([name, right]) => (has(right) ? [menu(name)] : [])),
    ...menusOf(kinds).flatMap((name) => (has('view') ? [menu(name)] : [])),
    ...routes.flatMap((route) =>
      changes(route) && typeof route.access === 'object' && 'right' in route.access && has(route.access.right)
        ? [element(route.id)]
        : [],
    ),
    ...Object.entries(kinds).flatMap(([kind, { actions }]) =>
      Object.entries(actions).flatMap(([action, { right }]) => (has(right) ? [element(`${kind}.${action}`)] : [])),
    ),
  ];
}

/** For the operator's console, whose routes are /manage/<menu>. */
export function staffNodes(roles: readonly PlatformRole[], routes: readonly NodeRoute[]): PermissionNode[] {
  return [
    ...ADMIN_MENUS.flatMap((name) => (mayStaff(roles, name) ? [menu(`manage/${name}`)] : [])),
    ...routes.flatMap((route) =>
      typeof route.access === 'object' &&
      'platform' in route.access &&
      // Reading that takes more than the menu has a button, too.
      (changes(route) || route.access.role !== undefined) &&
      mayStaffCall(roles, route.access)
        ? [element(route.id)]
        : [],
    ),
  ];
}
