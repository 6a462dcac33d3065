// Who may do what in an organisation: the one table. RBAC, permission nodes and menus derive from it.

export const ORG_ROLES = ['owner', 'admin', 'member', 'billing', 'viewer'] as const;
export type OrgRole = (typeof ORG_ROLES)[number];

/** `view` reads, `use` creates and commands compute, `manage` changes the organisation itself. */
export const RIGHTS = ['view', 'use', 'manage'] as const;
export type Right = (typeof RIGHTS)[number];

export const ROLE_RIGHTS: Record<OrgRole, readonly Right[]> = {
  owner: ['view', 'use', 'manage'],
  admin: ['view', 'use', 'manage'],
  member: ['view', 'use'],
  billing: ['view'],
  viewer: ['view'],
};

export const mayRole = (role: OrgRole, right: Right): boolean => ROLE_RIGHTS[role].includes(right);
