// An image's commands: starting an instance from it, editing, and deleting, which says who uses it.
import type { ImageView } from '@gantry/contract/kinds/image.ts';
import { useUiWords } from '@gantry/ui/i18n/use-words.tsx';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ActionButtons } from '../../parts/action-buttons.tsx';
import { EditImageDialog } from './edit-image-dialog.tsx';
import { useImageWords } from './use-image-words.ts';
import type { Instances } from './use-instances.ts';

interface ImageActionsProps {
  image: ImageView;
  instances: Instances;
  size?: 'small' | 'medium';
  /** After a command was accepted. */
  onDone?: (action: string) => void;
}

export function ImageActions({ image, instances, size = 'small', onDone }: ImageActionsProps) {
  const t = useImageWords();
  const ui = useUiWords();
  const go = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const { name, source, official } = image;
  const use = {
    label: t('use'),
    node: 'createInstance',
    onPick: () => void go(`/develop/instance/create?image=${encodeURIComponent(source)}`),
  };
  const edit = { label: ui('actions.edit'), node: 'updateImage', onPick: () => setEditing(true) };
  const release = () => {
    const users = instances.using(source);
    return {
      lost: [
        t('release.lost', { name }),
        ...(users.length > 0 ? [t('release.users', { names: users.join(', ') })] : []),
      ],
      kept: [t('release.kept')],
      typed: name,
    };
  };
  return (
    <>
      <ActionButtons
        kind="image"
        target={image}
        extras={official ? [use] : [use, edit]}
        size={size}
        questions={() => ({ release: release() })}
        {...(onDone && { onDone })}
      />
      {isEditing && <EditImageDialog image={image} onClose={() => setEditing(false)} />}
    </>
  );
}
