// The organisation's deployments, by which people know subjects.

import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ModelDeploymentView } from '@gantry/contract/kinds/model-deployment.ts';
import { useList } from '@gantry/ui/client/use-api.tsx';
import { useCallback } from 'react';

const ALL = { size: 1000 } as const;

export const useDeployments = (): readonly ModelDeploymentView[] => useList(CALLS.listDeployments, {}, ALL).items;

interface Subject {
  deployment: string;
  adapter?: string | null | undefined;
}

/** A deployment's name, and after a colon that of an adapter; its id where the deployment is gone. */
export function useSubjectName(): (subject: Subject) => string {
  const deployments = useDeployments();
  return useCallback(
    ({ deployment, adapter }) => {
      const name = deployments.find(({ id }) => id === deployment)?.name ?? deployment;
      return adapter ? `${name}:${adapter}` : name;
    },
    [deployments],
  );
}
