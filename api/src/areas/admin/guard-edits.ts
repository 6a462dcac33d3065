// Two people edit one row: the second is refused with edited_meanwhile, and has both versions. This holds for every PUT of a resource
// whose facts name fields to edit, whichever area serves it; a PUT without a version is taken as it is, as scripts send it.
import { ADMIN_RESOURCES, type AdminResourceName } from '@gantry/contract/http/admin.ts';
import type { AdminResource } from '@gantry/contract/http/admin-resource.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Served } from '../../platform/http/serve.ts';

export interface EditParts {
  /** The row as it is now. Throws not_found. */
  one(name: AdminResourceName, id: string): Promise<object>;
  versionOf(row: object, edits: readonly string[]): string;
  alone<T>(row: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

const RESOURCES: Readonly<Record<string, AdminResource>> = ADMIN_RESOURCES;

/** With its version, if it can be edited. */
export const versioned = <Row extends object>(
  { versionOf }: Pick<EditParts, 'versionOf'>,
  name: AdminResourceName,
  row: Row,
): Row => {
  const edits = RESOURCES[name]?.edits;
  return edits ? { ...row, version: versionOf(row, edits) } : row;
};

export const guardEdits = (served: readonly Served[], parts: EditParts): Served[] =>
  served.map((each) => {
    const name = editedBy(each.route);
    return name === undefined ? each : { ...each, handler: guarded(each.handler, name, parts) };
  });

function guarded(handler: Served['handler'], name: AdminResourceName, parts: EditParts): Served['handler'] {
  return (call) => {
    const { id } = call.params as { id: string };
    const { version } = call.body as unknown as { version?: unknown };
    return parts.alone(`${name}/${id}`, call.signal, async () => {
      if (version !== undefined && version !== null) {
        const now = versioned(parts, name, await parts.one(name, id)) as { version?: string };
        if (now.version !== version) throw problem('edited_meanwhile', {}, { field: 'version' });
      }
      return versioned(parts, name, (await handler(call)) as object);
    });
  };
}

function editedBy({ method, path }: RouteFacts): AdminResourceName | undefined {
  const name = method === 'PUT' ? /^\/admin\/([a-z-]+)\/\{id\}$/.exec(path)?.[1] : undefined;
  return name !== undefined && RESOURCES[name]?.edits ? (name as AdminResourceName) : undefined;
}
