// Loads a component's script when it is first shown.
import { type ComponentType, lazy } from 'react';

// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` says it, for components of any properties
export const lazyPart = <Name extends string, Part extends ComponentType<any>>(
  load: () => Promise<Record<Name, Part>>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));
