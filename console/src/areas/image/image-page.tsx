// One image: where it comes from, what it was when it was checked, and who made it of what.
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { ImageView } from '@gantry/contract/kinds/image.ts';
import { bytesText } from '@gantry/ui/format/size.ts';
import { timeText } from '@gantry/ui/format/time.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { CopyField } from '@gantry/ui/widgets/copy-button.tsx';
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { FactList } from '../../parts/fact-list.tsx';
import { KindPage } from '../../parts/kind-page.tsx';
import { Section } from '../../parts/section.tsx';
import { ImageActions } from './image-actions.tsx';
import { useImageWords } from './use-image-words.ts';
import { useInstances } from './use-instances.ts';

export function ImagePage() {
  const instances = useInstances();
  return (
    <KindPage
      kind="image"
      read={CALLS.getImage}
      list="/develop/template"
      price={({ price }) => price}
      actions={(image, onDone) => <ImageActions image={image} instances={instances} size="medium" onDone={onDone} />}
      tabs={{ overview: (image) => <Overview image={image} nameOf={instances.nameOf} /> }}
    />
  );
}

function Overview({ image, nameOf }: { image: ImageView; nameOf: (id: string) => string }) {
  const t = useImageWords();
  const ui = useUiWords();
  const { source, digest, official, llm, size_bytes: size, from_instance: from, create_time } = image;
  return (
    <Section title={t('about')}>
      <FactList
        facts={[
          { label: t('origin'), value: [t(official ? 'official' : 'own'), ...(llm ? [t('llm')] : [])].join(', ') },
          { label: t('source'), value: <CopyField text={source} label={t('source')} /> },
          {
            label: t('digest'),
            value: digest === null ? ui('states.unknown') : <CopyField text={digest} label={t('digest')} />,
          },
          { label: ui('fields.size'), value: bytesText(size) },
          {
            label: t('from'),
            value:
              from === null ? (
                ui('states.unknown')
              ) : (
                <Link component={RouterLink} to={`/develop/instance/${from}`}>
                  {nameOf(from)}
                </Link>
              ),
          },
          { label: ui('fields.createTime'), value: timeText(create_time) },
        ]}
      />
    </Section>
  );
}
