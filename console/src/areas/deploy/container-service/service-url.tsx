// Where a service is published, to be opened and copied.
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import Link from '@mui/material/Link';
import { useDeployWords } from '../use-deploy-words.ts';

/** Only what is a web address becomes a link. */
const isWebAddress = (url: string): boolean => /^https?:\/\//.test(url);

export function ServiceUrl({ url }: { url: string | null }) {
  const t = useDeployWords();
  if (url === null) return <span>–</span>;
  return (
    <>
      {isWebAddress(url) ? (
        <Link href={url} target="_blank" rel="noreferrer noopener">
          {url.replace(/^https?:\/\//, '')}
        </Link>
      ) : (
        url
      )}{' '}
      <CopyButton text={url} label={t('publish.url')} />
    </>
  );
}
