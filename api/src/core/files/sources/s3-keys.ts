// The keys of buckets, as an organisation keeps them under names.
import { problem } from '@gantry/contract/http/problem.ts';
import * as z from 'zod';
import type { Caller } from '../../../platform/http/caller.ts';
import type { S3Keys } from './s3-source.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

const sealed = z.object({ accessKey: z.string(), secretKey: z.string() });
const MOST_CREDENTIALS = 50;

/** Throws dataset_credentials_unknown. */
export async function s3Keys(
  credentials: Pick<SealedCredentials, 'read'>,
  organizationId: string,
  name: string,
): Promise<S3Keys> {
  const text = await credentials.read(organizationId, { kind: 's3', name });
  if (text === undefined) throw problem('dataset_credentials_unknown', { name }, { field: 'credentials' });
  return sealed.parse(JSON.parse(text));
}

/** Throws too_many_credentials. */
export async function setS3Keys(
  credentials: Pick<SealedCredentials, 'list' | 'set'>,
  caller: Caller,
  { name, accessKey, secretKey }: S3Keys & { name: string },
): Promise<void> {
  const known = await credentials.list(caller.organization.id, 's3');
  if (known.length >= MOST_CREDENTIALS && !known.some((one) => one.name === name))
    throw problem('too_many_credentials', { most: MOST_CREDENTIALS });
  await credentials.set(caller, { kind: 's3', name }, JSON.stringify({ accessKey, secretKey }));
}
