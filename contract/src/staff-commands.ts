// The commands of the platform's staff on tenants' objects: the rows of a kind's own actions that end or interrupt something, and the
// switch that pauses the operator's work on the object. Whatever would spend a tenant's money anew is the tenant's alone. Routes, buttons
// and the API server's policies follow from this.
import { type ActionRow, canDo, type KindFacts, type KubeObject, type Words } from './define-kind.ts';
import type { Language } from './fields/language.ts';
import { ANNOTATION } from './names.ts';
import type { PlatformRole } from './roles.ts';
import { words as enConsole } from './words/en/admin-tables.ts';
import * as en from './words/en/staff.ts';
import { words as jaConsole } from './words/ja/admin-tables.ts';
import * as ja from './words/ja/staff.ts';
import { joined } from './words/join.ts';
import { words as zhConsole } from './words/zh/admin-tables.ts';
import * as zh from './words/zh/staff.ts';

export const STAFF_WORDS = joined('staff', { en: en.sentences, zh: zh.sentences, ja: ja.sentences });
export const STAFF_ROLE_WORDS: Readonly<Record<PlatformRole, Words>> = joined('staff.roles', {
  en: enConsole.roles,
  zh: zhConsole.roles,
  ja: jaConsole.roles,
});

/** Whether the operator works on an object. Staff's alone, whatever the object's state: it would dodge the credit gate. */
export const PAUSES = { pauseReconciling: 'true', resumeReconciling: null } as const;
export type Pause = keyof typeof PAUSES;
export const isPause = (action: string): action is Pause => Object.hasOwn(PAUSES, action);
const PAUSE_ROWS: Readonly<Record<Pause, Words>> = joined('staff.pauses', {
  en: en.pauses,
  zh: zh.pauses,
  ja: ja.pauses,
});

export const isPaused = ({ metadata }: Pick<KubeObject, 'metadata'>): boolean =>
  metadata.annotations?.[ANNOTATION.paused] !== undefined;

const NOBODY: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };

/** The fields that a row writes into a spec; a counter shows as the number that comes after none. */
export function patchOf({ does }: Pick<ActionRow, 'does'>): Record<string, unknown> {
  return typeof does === 'function' ? does({ ...NOBODY, spec: {} } as KubeObject).spec : {};
}

const isStaffs = (row: ActionRow): boolean =>
  row.does === 'delete' || (Object.keys(patchOf(row)).length > 0 && !(row.spends && row.danger === 'none'));

/** Action rows that staff may give, by name. */
export const staffRows = ({ actions }: Pick<KindFacts, 'actions'>): Readonly<Record<string, ActionRow>> =>
  Object.fromEntries(Object.entries(actions).filter(([, row]) => isStaffs(row)));

/** Every command that staff may give to objects of a kind. */
export const staffCommands = (facts: Pick<KindFacts, 'actions'>): string[] => [
  ...Object.keys(staffRows(facts)),
  ...Object.keys(PAUSES),
];

export function canStaff(facts: KindFacts, command: string, object: KubeObject): boolean {
  if (isPause(command)) return isPaused(object) === (command === 'resumeReconciling');
  return Object.hasOwn(staffRows(facts), command) && canDo(facts, command, object);
}

export interface StaffCommand {
  action: string;
  label: string;
  danger: ActionRow['danger'];
}

export const staffWords = ({ actions }: Pick<KindFacts, 'actions'>, command: string): Words =>
  (isPause(command) ? PAUSE_ROWS[command] : actions[command]) ?? { en: command, zh: command, ja: command };

/** The commands that staff may give an object now, in the reader's language. */
export const staffCommandsNow = (facts: KindFacts, object: KubeObject, language: Language): StaffCommand[] =>
  staffCommands(facts)
    .filter((command) => canStaff(facts, command, object))
    .map((action) => ({
      action,
      label: staffWords(facts, action)[language],
      danger: isPause(action) ? 'interrupts' : (facts.actions[action]?.danger ?? 'none'),
    }));
