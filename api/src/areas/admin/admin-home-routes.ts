// The operators' home over HTTP: the big screen, the search over everything, one's own saved queries, accounts from a file.

import {
  HOME_COMMANDS as C,
  IMPORT_COLUMNS,
  type ImportAnswer,
  MOST_IMPORTED,
  type Names,
} from '@gantry/contract/areas/admin/admin-home.ts';
import { LANGUAGES, type Language } from '@gantry/contract/fields/language.ts';
import { accountName, email, phone } from '@gantry/contract/fields/person.ts';
import { Problem, problem } from '@gantry/contract/http/problem.ts';
import { problemIn } from '@gantry/contract/http/problem-in.ts';
import { type AdminMenu, mayStaff, ORG_ROLES, type OrgRole } from '@gantry/contract/roles.ts';
import * as z from 'zod';
import type { AccountImport, ImportRow, ImportVerdict } from '../../core/identity/people/account-import.ts';
import type { AuditEntry } from '../../platform/audit/entry.ts';
import { BadCsv, type CsvLine, readCsv } from '../../platform/csv.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { parse } from '../../platform/http/parse.ts';
import { auditedId } from '../../platform/http/request-id.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import { Prepared } from '../../platform/http/write-answer.ts';
import type { Overview } from './overview.ts';
import type { StaffPreferences } from './preferences.ts';
import type { Search } from './search.ts';

export interface AdminHomeParts {
  overview: Pick<Overview, 'read'>;
  search: Pick<Search, 'find'>;
  preferences: Pick<StaffPreferences, 'get' | 'set'>;
  names(accountIds: readonly string[], organizationIds: readonly string[]): Promise<Names>;
  accountImport: Pick<AccountImport, 'look' | 'make'>;
  /** Each account that was made has its own entry. */
  record(entry: AuditEntry): Promise<void>;
  /** Never throws and is not awaited. */
  tellOwners(proposed: ProposedPerson): void;
}

export interface ProposedPerson {
  accountId: string;
  person: string;
  staff: string;
  organization: { id: string; name: string };
  role: OrgRole;
}

const menusOf =
  ({ account }: Caller) =>
  (menu: AdminMenu): boolean =>
    mayStaff(account.platformRoles, menu);

export function adminHomeRoutes({
  overview,
  search,
  preferences,
  names,
  accountImport,
  record,
  tellOwners,
}: AdminHomeParts): Served[] {
  return [
    serve(C.adminShowOverview, async ({ caller, language }) => {
      const { etag, bytes } = await overview.read(menusOf(caller), language);
      return new Prepared(etag, bytes);
    }),
    serve(C.adminSearch, ({ caller, query, language }) => search.find(query.q, menusOf(caller), language)),
    serve(C.adminListNames, ({ query }) =>
      names(query.accounts?.split(',') ?? [], query.organizations?.split(',') ?? []),
    ),
    serve(C.adminGetPreferences, ({ caller }) => preferences.get(caller.account.id)),
    serve(C.adminSetPreferences, ({ caller, body, audit }) => {
      audit.object = `Account/${caller.account.id}`;
      return preferences.set(caller.account.id, body);
    }),
    serve(C.adminImportUsers, async ({ caller, query, body, language, audit, req, requestId, ip }) => {
      const isDry = query.dry_run === 'true';
      const { rows, refused } = rowsIn(body.csv, language);
      const verdicts = isDry ? await accountImport.look(rows) : await accountImport.make(rows, caller.account.id);
      const answer = answerOf(isDry, [...refused, ...verdicts], language);
      const made = verdicts.flatMap(({ outcome, accountId }) => (outcome === 'made' && accountId ? [accountId] : []));
      Object.assign(audit, { object: objectOf(made), reason: `${isDry ? 'dry run' : 'import'}: ${body.reason}` });
      const entry = {
        requestId: auditedId(req, requestId),
        action: C.adminImportUsers.id,
        decision: 'allowed' as const,
      };
      const from = { caller, ip, userAgent: req.headers['user-agent'] };
      for (const { outcome, accountId, name, proposed } of verdicts) {
        if (outcome !== 'made' || accountId === undefined) continue;
        const where = proposed ? `proposed as ${proposed.role} of Organization/${proposed.id}` : 'of no organisation';
        const what = { object: `Account/${accountId}`, reason: `${body.reason} (${where})` };
        await record({ ...entry, ...from, ...what, status: 200 });
        if (!proposed) continue;
        const organization = { id: proposed.id, name: proposed.name };
        tellOwners({ accountId, person: name, staff: caller.account.name, organization, role: proposed.role });
      }
      return answer;
    }),
  ];
}

/** An entry names at most so many. */
const MOST_NAMED = 20;

function objectOf(made: readonly string[]): string {
  if (made.length === 0) return 'Account';
  const more = made.length > MOST_NAMED ? ` and ${made.length - MOST_NAMED} more` : '';
  return `Account/${made.slice(0, MOST_NAMED).join(',')}${more}`;
}

const rowSchema = z.strictObject({
  name: accountName,
  email: email.optional(),
  phone: phone.optional(),
  organization: z.string().max(63).optional(),
  role: z.enum(ORG_ROLES).optional(),
  locale: z.enum(LANGUAGES).optional(),
});

function rowsIn(csv: string, language: Language): { rows: ImportRow[]; refused: ImportVerdict[] } {
  const [head, ...lines] = linesOf(csv);
  if (!head) throw columnsProblem('');
  if (lines.length > MOST_IMPORTED) throw problem('import_too_long', { most: MOST_IMPORTED }, { field: 'csv' });
  const columns = columnsOf(head);
  const rows: ImportRow[] = [];
  const refused: ImportVerdict[] = [];
  for (const { line, cells } of lines) {
    const given = Object.fromEntries(
      columns.flatMap((column, at) => (cells[at] === undefined || cells[at] === '' ? [] : [[column, cells[at]]])),
    );
    const name = given.name ?? '';
    try {
      if (cells.length > columns.length)
        throw problem('import_malformed', { line, detail: `${cells.length} > ${columns.length}` });
      const { organization: organizationId, ...row } = parse(rowSchema, given, language);
      rows.push({ line, ...row, organizationId });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push({ line, name: name.slice(0, 100), outcome: 'refused', problem: error });
    }
  }
  return { rows, refused };
}

function linesOf(csv: string): CsvLine[] {
  try {
    return readCsv(csv, MOST_IMPORTED + 1);
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    throw problem('import_malformed', { line: error.line, detail: error.detail }, { field: 'csv' });
  }
}

function columnsOf({ cells }: CsvLine): string[] {
  const columns = cells.map((cell) => cell.toLowerCase());
  const wrong = columns.find(
    (column, at) => !(IMPORT_COLUMNS as readonly string[]).includes(column) || columns.indexOf(column) !== at,
  );
  if (wrong !== undefined || !columns.includes('name')) throw columnsProblem(wrong ?? '');
  return columns;
}

const columnsProblem = (column: string) =>
  problem(
    'import_columns',
    { known: IMPORT_COLUMNS.join(', '), column: column.slice(0, 100) || '–' },
    { field: 'csv' },
  );

function answerOf(isDry: boolean, verdicts: readonly ImportVerdict[], language: Language): ImportAnswer {
  const counts = { new: 0, made: 0, exists: 0, refused: 0 };
  for (const { outcome } of verdicts) counts[outcome]++;
  const rows = verdicts
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, name, outcome, problem: why, accountId }) => ({
      line,
      name,
      outcome,
      field: why?.field ?? null,
      problem: why?.problem ?? null,
      said: why ? problemIn(language, why.problem, why.args) : null,
      account_id: accountId ?? null,
    }));
  return { dry_run: isDry, rows, counts };
}
