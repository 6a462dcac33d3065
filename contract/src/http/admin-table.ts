// A resource of the operators' console as its pages know it: the facts of `admin.ts` without the schemas, which weigh more than a
// page.
import type { Words } from '../define-kind.ts';
import type { AdminMenu } from '../roles.ts';

/** `phrases` are texts in the three languages; `json` is anything deeper. */
export type AdminFieldType =
  | 'text'
  | 'time'
  | 'money'
  | 'number'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'list'
  | 'phrases'
  | 'json';

export interface AdminField {
  readonly type: AdminFieldType;
  /** Set for `choice` and `choices`. */
  readonly choices?: readonly (string | number)[];
}

/** A table whose rows are the objects of a kind: what one is called, and several, and of which programs there are logs. */
export interface AdminKindTable {
  readonly one: Words;
  readonly many: Words;
  readonly hasRuns: boolean;
  readonly hasReplicas: boolean;
}

export interface AdminTable {
  readonly menu: AdminMenu;
  readonly kind: AdminKindTable | undefined;
  readonly columns: readonly string[];
  readonly order: readonly [field: string, order: 'ASC' | 'DESC'];
  readonly sort: readonly string[];
  readonly fields: Readonly<Record<string, AdminField>>;
  readonly filters: Readonly<Record<string, AdminField>>;
  readonly references: Readonly<Record<string, string>>;
  readonly isPart: boolean;
  /** No file of it may be taken. */
  readonly isSealed: boolean;
  /** Fields that a PUT changes: where two people change them, the second sees both versions. */
  readonly edits: readonly string[];
}
