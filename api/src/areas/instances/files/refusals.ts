// A disk server's refusals as problems: one row for each code.
import { type Problem, type ProblemCode, problem } from '@gantry/contract/http/problem.ts';
import * as z from 'zod';
import { parseJson } from '../../../platform/json-size.ts';

const MOST_DETAIL = 300;
const text = z.string().catch('');
/** RFC 9457, as agent/diskserver writes it; other fields are dropped. */
const refusal = z
  .object({
    code: text,
    field: z.string().max(MOST_DETAIL).optional().catch(undefined),
    detail: text.transform((detail) => detail.slice(0, MOST_DETAIL)),
    offset: z.int().min(0).optional().catch(undefined),
  })
  .catch({ code: '', field: undefined, detail: '', offset: undefined });

const ROWS: Readonly<Record<string, ProblemCode>> = {
  PathNotAllowed: 'file_path_rule',
  PathTooLong: 'file_path_rule',
  NameTooLong: 'file_path_rule',
  NameNotAllowed: 'file_path_rule',
  NotKnown: 'invalid_field',
  GivenTwice: 'invalid_field',
  OutOfRange: 'invalid_field',
  PageTooFar: 'invalid_field',
  QueryNotUnderstood: 'invalid_field',
  UploadId: 'upload_not_understood',
  RangeNotUnderstood: 'upload_not_understood',
  LengthDiffers: 'upload_not_understood',
  BodyEndsEarly: 'upload_not_understood',
  BodyTooLong: 'upload_not_understood',
  TooSlow: 'upload_not_understood',
  LeadsOutside: 'file_leads_outside',
  ReadOnly: 'file_refused',
  Forbidden: 'file_refused',
  NotFound: 'not_found',
  NoParent: 'not_found',
  Exists: 'file_exists',
  IsFolder: 'file_wrong_kind',
  NotFolder: 'file_wrong_kind',
  NotFile: 'file_wrong_kind',
  IsRoot: 'file_wrong_kind',
  IntoItself: 'file_wrong_kind',
  LinkLoop: 'file_wrong_kind',
  OtherVolume: 'file_wrong_kind',
  OffsetDiffers: 'upload_offset',
  TakenOver: 'file_busy',
  UploadBusy: 'file_busy',
  Filling: 'file_busy',
  UploadGone: 'upload_gone',
  FileTooLarge: 'file_too_large',
  FolderTooLarge: 'folder_too_large',
  RangeOutside: 'range_outside',
  DiskFull: 'disk_full',
};
const AGAIN_SECONDS = 2;

/** For an unsuccessful answer. Codes that only our own fault can cause become `internal`. */
export function refusalOf(status: number, body: string): Problem | Error {
  const { code, field, detail, offset } = refusal.parse(parsed(body));
  const at = field ? { field } : {};
  if (status === 503 || (status === 409 && code === 'Busy'))
    return problem('unavailable', { seconds: AGAIN_SECONDS }, { retryAfterSeconds: AGAIN_SECONDS });
  const row = Object.hasOwn(ROWS, code) ? ROWS[code] : undefined;
  if (!row) return new Error(`a disk's server answered ${status} ${code}: ${detail}`);
  const args = {
    ...(row === 'invalid_field' && { field: field ?? '', rule: detail }),
    ...(row === 'not_found' && { what: field ?? 'path' }),
    ...((row === 'upload_not_understood' || row === 'file_wrong_kind') && { detail }),
    ...(row === 'upload_offset' && { offset: offset ?? 0 }),
  };
  return problem(row, args as Record<string, string | number>, at);
}

function parsed(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
