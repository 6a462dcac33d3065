// What people write of a place that files are imported from: one rule for models and datasets.
import * as z from 'zod';
import { isRelativePath } from './file-path.ts';
import { hidesNothing } from './plain-text.ts';

export const hubRepository = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)?$/, 'model_repository_rule');

/** A branch, tag or commit. */
export const hubRevision = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._/-]*$/, 'model_revision_rule');

export const diskFolder = z
  .string()
  .max(1024)
  .refine((path) => path === '/' || (path.startsWith('/') && isRelativePath(path.slice(1))), 'model_path_rule');

/** `*` stands for anything. */
export const filePatterns = z.array(z.string().min(1).max(200).refine(hidesNothing, 'plain_text')).max(50);
