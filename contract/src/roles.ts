// The rights of each role: the one table for organisations, and the one for the platform's staff. RBAC, permission nodes and menus derive
// from them.

export const ORG_ROLES = ['owner', 'admin', 'member', 'billing', 'viewer'] as const;
export type OrgRole = (typeof ORG_ROLES)[number];

/** `view` reads, `use` creates and commands compute and rents hosts, `pay` handles balance, bills and cards, `manage` changes the organisation itself. */
export const RIGHTS = ['view', 'use', 'pay', 'manage'] as const;
export type Right = (typeof RIGHTS)[number];

export const ROLE_RIGHTS: Record<OrgRole, readonly Right[]> = {
  owner: ['view', 'use', 'pay', 'manage'],
  admin: ['view', 'use', 'pay', 'manage'],
  member: ['view', 'use'],
  billing: ['view', 'pay'],
  viewer: ['view'],
};

/** For whom objects are shown: a role, or staff who look at a tenant's console, who see what a viewer sees without the secrets in it. */
export type ShownRole = OrgRole | 'visitor';

export const mayRole = (role: ShownRole, right: Right): boolean =>
  (role === 'visitor' ? ROLE_RIGHTS.viewer : ROLE_RIGHTS[role]).includes(right);

/**
 * Whether somebody who manages may make of one in the role `from` one in the role `to`; absent: nobody yet, or nobody any more. Owners
 * are made and unmade by owners.
 */
export const mayChangeRole = (actor: OrgRole, from: OrgRole | undefined, to: OrgRole | undefined): boolean =>
  actor === 'owner' || (actor === 'admin' && from !== 'owner' && to !== 'owner');

/** The roles that are notified about money. */
export const PAYERS: readonly OrgRole[] = ORG_ROLES.filter((role) => mayRole(role, 'pay'));

/** Pages of the tenant's console that belong to no kind, which names its own: the route's name is its menu node. */
export const MENUS = {
  home: 'view',
  'model/space': 'view',
  'model/finetune': 'view',
  'model/evaluation': 'view',
  'model/chat': 'view',
  'data/space': 'view',
  'data/processing': 'view',
  'monitor/dashboard': 'view',
  'monitor/performance': 'view',
  'monitor/analysis': 'view',
  'monitor/metric': 'view',
  'monitor/alarm': 'view',
  'develop/file': 'view',
  'manage/account': 'view',
  'manage/billing': 'pay',
  'manage/organization': 'view',
} as const satisfies Record<string, Right>;

/** The platform's staff: apart from any organisation's roles. */
export const PLATFORM_ROLES = ['administrator', 'auditManager', 'finance', 'catalogue', 'support'] as const;
export type PlatformRole = (typeof PLATFORM_ROLES)[number];

/** The pages of the operators' console. A menu grants reading; changing its content may require a role. */
export const ADMIN_MENUS = [
  'computing',
  'storage',
  'billing',
  'operation',
  'portal',
  'model',
  'dataset',
  'user',
  'audit',
  'discount',
] as const;
export type AdminMenu = (typeof ADMIN_MENUS)[number];

export const PLATFORM_MENUS: Record<PlatformRole, readonly AdminMenu[]> = {
  administrator: ADMIN_MENUS,
  auditManager: ['user', 'audit'],
  finance: ['billing', 'discount'],
  catalogue: ['portal', 'model', 'dataset'],
  support: ['computing', 'storage', 'operation', 'user'],
};

export const mayStaff = (roles: readonly PlatformRole[], menu: AdminMenu): boolean =>
  roles.some((role) => PLATFORM_MENUS[role].includes(menu));

/** The requirements of a route for the platform's staff: the menu (`any`: a role), and for some changes also the role. */
export interface StaffAccess {
  platform: AdminMenu | 'any';
  role?: PlatformRole;
}

export const mayStaffCall = (roles: readonly PlatformRole[], { platform, role }: StaffAccess): boolean =>
  (platform === 'any' ? roles.length > 0 : mayStaff(roles, platform)) && (role === undefined || roles.includes(role));
