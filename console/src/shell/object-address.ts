// The address of an object's page, by the rows of all pages.
import type { PageRow } from '../area.ts';

/** `kind` is the plural name. Undefined where no page shows such objects. */
export function objectAddress(
  pages: readonly PageRow[],
  { kind, id }: { readonly kind: string; readonly id: string },
): string | undefined {
  const row = pages.find(({ of }) => of === kind);
  return row?.path.replace(/:id.*$/, encodeURIComponent(id));
}
