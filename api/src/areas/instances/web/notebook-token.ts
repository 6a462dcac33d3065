// The token that an instance's notebook asks for, shown to a member who looks.
import { problem } from '@gantry/contract/http/problem.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { notebookTokenText } from '@gantry/contract/kinds/notebook-token.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { FindObject } from '../terminals/place.ts';

/** Throws not_found, no_notebook_token. */
export function notebookToken(
  find: FindObject,
  keyed: (text: string) => string,
  { organization }: Caller,
  id: string,
): string {
  const instance = find(gpuInstance, organization.namespace, id)?.object as GpuInstance | undefined;
  if (!instance) throw problem('not_found', { what: id });
  const text = notebookTokenText(instance);
  if (text === undefined) throw problem('no_notebook_token');
  return keyed(text);
}
