// The accounts of the books. An account's balance is the sum of its credits less that of its debits.

/** The accounts of each organisation. Its debt is the negative balance of `receivable`. */
export const ORGANIZATION_ACCOUNTS = ['cash', 'credits', 'receivable'] as const;
/** The platform's accounts: no posting ever reads or locks one. `clearing` has one account per payment channel. */
export const PLATFORM_ACCOUNTS = ['revenue', 'discounts', 'promotions', 'adjustments', 'fees', 'clearing'] as const;

export type OrganizationAccount = (typeof ORGANIZATION_ACCOUNTS)[number];
export type PlatformAccount = Exclude<(typeof PLATFORM_ACCOUNTS)[number], 'clearing'> | `clearing.${string}`;

const PLATFORM = 'platform';

/** `<organisation | platform>/<type>/<currency>`. An organisation's id has no slash. */
export function accountOf(owner: { organizationId: string }, type: OrganizationAccount, currency: string): string;
export function accountOf(owner: 'platform', type: PlatformAccount, currency: string): string;
export function accountOf(owner: { organizationId: string } | 'platform', type: string, currency: string): string {
  return `${owner === 'platform' ? PLATFORM : owner.organizationId}/${type}/${currency}`;
}

export interface AccountName {
  /** Absent for the platform's own. */
  readonly organizationId: string | undefined;
  readonly type: string;
  /** `clearing` of `clearing.card`. */
  readonly family: string;
  readonly currency: string;
}

/** Throws a RangeError for an invalid account id. */
export function readAccount(id: string): AccountName {
  const [owner = '', type = '', currency = '', ...more] = id.split('/');
  const dot = type.indexOf('.');
  const family = dot === -1 ? type : type.slice(0, dot);
  const known: readonly string[] = owner === PLATFORM ? PLATFORM_ACCOUNTS : ORGANIZATION_ACCOUNTS;
  if (owner === '' || currency === '' || more.length > 0 || !known.includes(family))
    throw new RangeError(`"${id}" is no account`);
  return { organizationId: owner === PLATFORM ? undefined : owner, type, family, currency };
}
