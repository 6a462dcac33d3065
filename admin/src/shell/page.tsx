// A page by what loads it.
import { type ComponentType, lazy } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/** Made once: a component that is made anew would lose its state at every render. */
const LOADED = new Map<Load, ComponentType>();

export function Page({ load }: { load: Load }) {
  const Loaded = LOADED.get(load) ?? lazy(load);
  LOADED.set(load, Loaded);
  return <Loaded />;
}
