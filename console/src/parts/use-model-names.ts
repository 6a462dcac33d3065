// The models that somebody may call, as programs list them; of whoever may call none, nothing is asked.
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useQuery } from '@tanstack/react-query';

interface CallableModel {
  /** What requests name: `<organisation>/<deployment>`. */
  id: string;
  /** What people call it. */
  name?: string;
}

function useCallable<Result>(select: (models: readonly CallableModel[]) => Result) {
  const api = useApi();
  const mayAsk = useMay()('createChat');
  return useQuery({
    enabled: mayAsk,
    queryKey: ['v1/models'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/models', { headers: api.headers(), signal }).catch(() => undefined);
      if (!response?.ok) throw api.failure(response ? 'bad_answer' : 'network', response?.status);
      return ((await response.json()) as { data: readonly CallableModel[] }).data;
    },
    select,
  });
}

const idsOf = (models: readonly CallableModel[]): string[] => models.map(({ id }) => id);
const namesOf = (models: readonly CallableModel[]) => new Map(models.map(({ id, name }) => [id, name ?? id]));

/** Their ids. */
export const useModelNames = () => useCallable(idsOf);

/** What people call the model of an id; of one that is gone, the id. */
export function useModelLabel(): (id: string) => string {
  const { data } = useCallable(namesOf);
  return (id) => data?.get(id) ?? id;
}
