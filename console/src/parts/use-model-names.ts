// The models that somebody may call, as programs list them; of whoever may call none, nothing is asked.
import { useApi } from '@gantry/ui/client/use-api.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { useQuery } from '@tanstack/react-query';

export function useModelNames() {
  const api = useApi();
  const mayAsk = useMay()('createChat');
  return useQuery({
    enabled: mayAsk,
    queryKey: ['v1/models'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/models', { headers: api.headers(), signal }).catch(() => undefined);
      if (!response?.ok) throw api.failure(response ? 'bad_answer' : 'network', response?.status);
      const { data } = (await response.json()) as { data: readonly { id: string }[] };
      return data.map(({ id }) => id);
    },
  });
}
