// What people call an action of the audit log: there it has the id of a route, or the platform's own name for it.
import { type KindFacts, sentence } from '../../define-kind.ts';
import type { Language } from '../../fields/language.ts';
import { KINDS } from '../../kinds.ts';
import * as en from '../../words/en/audit-actions.ts';
import * as ja from '../../words/ja/audit-actions.ts';
import { joined } from '../../words/join.ts';
import * as zh from '../../words/zh/audit-actions.ts';
import { ADMIN_KIND_NAMES, ADMIN_KINDS, actId, batchId } from '../kinds/admin-computing.ts';

const ACTIONS = joined('audit.actions', { en: en.actions, zh: zh.actions, ja: ja.actions });
const OF_KIND = joined('audit.ofKind', { en: en.ofKind, zh: zh.ofKind, ja: ja.ofKind });
const READS = joined('audit.reads', { en: en.reads, zh: zh.reads, ja: ja.reads });

type Verb = keyof typeof OF_KIND;
const KIND_ACTIONS: ReadonlyMap<string, { verb: Verb; facts: KindFacts }> = new Map<
  string,
  { verb: Verb; facts: KindFacts }
>([
  ...Object.values<KindFacts>(KINDS).flatMap((facts) => {
    const [one, many] = facts.api?.names ?? [];
    if (one === undefined) return [];
    const verbs = (['create', 'update', 'delete', 'act'] as const).map(
      (verb) => [`${verb}${one}`, { verb, facts }] as const,
    );
    return [...verbs, [`batch${many}`, { verb: 'batch' as const, facts }] as const];
  }),
  ...ADMIN_KIND_NAMES.flatMap((name) => {
    const facts: KindFacts = ADMIN_KINDS[name];
    return [[actId(name), { verb: 'act', facts }] as const, [batchId(name), { verb: 'batch', facts }] as const];
  }),
]);

/** A refused read is in the log, too. */
const READ = /^(get|list|admin(Get|List|About|Watch))/;

/** "Open a terminal of an instance" of `openTerminal`; undefined for an action that is no longer known. */
export function actionName(action: string, language: Language): string | undefined {
  if (Object.hasOwn(ACTIONS, action)) return ACTIONS[action as keyof typeof ACTIONS][language];
  const ofKind = KIND_ACTIONS.get(action);
  if (ofKind) return sentence(OF_KIND[ofKind.verb], language, { kind: ofKind.facts.words[language] });
  if (/^admin(Replica)?Log/.test(action)) return READS.log[language];
  if (action.startsWith('adminExport')) return READS.exported[language];
  return READ.test(action) ? READS.read[language] : undefined;
}
