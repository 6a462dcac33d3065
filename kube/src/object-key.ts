// A key as text, and back. Neither namespaces nor names hold a slash.
import type { Key } from './resource.ts';

export const keyText = (namespace: string | undefined, name: string): string =>
  namespace === undefined ? name : `${namespace}/${name}`;

export function keyFrom(text: string): Key {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
