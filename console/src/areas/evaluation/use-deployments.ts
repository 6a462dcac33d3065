// The organisation's deployments, by which people know subjects.

import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useCallback } from 'react';
import { deploymentPath } from './paths.ts';

const ALL = { size: 1000 } as const;

export const useDeployments = (): readonly ModelDeploymentView[] => useList(CALLS.listDeployments, {}, ALL).items;

interface Subject {
  /** Absent: a version that is deployed for each run. */
  deployment?: string | null | undefined;
  adapter?: string | null | undefined;
  model?: string | null | undefined;
  /** The model's. */
  name?: string | null | undefined;
  version?: string | null | undefined;
}

/** A deployment's name, and after a colon that of an adapter. Where it is gone or was there for a run alone: the model with its version. */
export function useSubjectName(): (subject: Subject) => string {
  const deployments = useDeployments();
  return useCallback(
    ({ deployment, adapter, model, name, version }) => {
      const found = deployments.find(({ id }) => id === deployment);
      if (found && found.served_for === null) return adapter ? `${found.name}:${adapter}` : found.name;
      const called = [name ?? model, version].filter((part) => part).join(' ');
      if (called === '') return adapter ? `${deployment}:${adapter}` : (deployment ?? '–');
      return adapter ? `${called}:${adapter}` : called;
    },
    [deployments],
  );
}

/** Undefined where it is gone, or was there for a run alone. */
export function useDeploymentLink(deployment: string | null): string | undefined {
  const found = useDeployments().find(({ id }) => id === deployment);
  return found && found.served_for === null ? deploymentPath(found.id) : undefined;
}
