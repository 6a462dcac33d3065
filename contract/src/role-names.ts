// The names of an organisation's roles.
import type { Words } from './define-kind.ts';
import type { OrgRole } from './roles.ts';
import { type Args, quoted, said } from './said.ts';
import * as en from './words/en/roles.ts';
import * as ja from './words/ja/roles.ts';
import { joined } from './words/join.ts';
import * as zh from './words/zh/roles.ts';

export const ROLE_NAMES: Readonly<Record<OrgRole, Words>> = joined('role', {
  en: en.names,
  zh: zh.names,
  ja: ja.names,
});

/** A role's name as the argument `role` of a sentence: each reader gets it in their language. */
export const namingRole = (role: OrgRole): Args => quoted('role', said(ROLE_NAMES[role]));
