// The words of an article in three languages, beside how readers will see them; saving makes a draft that nobody else sees.
import type { Language } from '@gantry/contract/fields/language.ts';
import { useAreaWords, useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { type ReactNode, useState } from 'react';
import { LanguageTabs, type Texts } from '../../parts/language-texts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { useTyped } from '../../parts/use-typed.ts';
import { useTableWords } from '../../table-words.ts';
import { tableOf } from '../../tables.ts';
import type { words as english } from '../../words/en/operation.ts';
import { ArticleText } from './article-preview.tsx';

interface Words {
  title: Texts;
  content: Texts;
}
interface Head {
  slug: string;
  position: number;
}

export function ArticleEditor({
  first,
  onTyped,
  onSave,
}: {
  first: Words & Head;
  onTyped?(isTyped: boolean): void;
  onSave(draft: Words & Head, reason: string): Promise<void>;
}) {
  const [began] = useState({ slug: first.slug, position: `${first.position}` });
  const [slug, setSlug] = useState(began.slug);
  const [position, setPosition] = useState(began.position);
  const placeOf = usePlaceOf();
  return (
    <WordsEditor
      first={first}
      isHeadTyped={slug !== began.slug || position !== began.position}
      {...(onTyped && { onTyped })}
      onSave={async (words, reason) => onSave({ ...words, slug: slug.trim(), position: placeOf(position) }, reason)}
    >
      <HeadFields slug={slug} onSlug={setSlug} position={position} onPosition={setPosition} />
    </WordsEditor>
  );
}

/** By the contract's table, without its schemas. */
const kindField = tableOf('articles').fields.kind;
const KINDS = (kindField && 'choices' in kindField ? kindField.choices : []) as readonly string[];

export function NewArticle({
  first,
  onSave,
}: {
  first: Words;
  onSave(draft: Words & Head & { kind: string }, reason: string): Promise<void>;
}) {
  const t = useAreaWords<typeof english>('operation');
  const table = useTableWords('articles');
  const [slug, setSlug] = useState('');
  const [position, setPosition] = useState('0');
  const [kind, setKind] = useState('help');
  const placeOf = usePlaceOf();
  return (
    <WordsEditor
      first={first}
      isHeadTyped={slug !== '' || position !== '0'}
      onSave={async (words, reason) =>
        onSave({ ...words, kind, slug: slug.trim(), position: placeOf(position) }, reason)
      }
    >
      <TextField select label={t('article.kind')} value={kind} onChange={({ target }) => setKind(target.value)}>
        {KINDS.map((each) => (
          <MenuItem key={each} value={each}>
            {table.choice('kind', each)}
          </MenuItem>
        ))}
      </TextField>
      <HeadFields slug={slug} onSlug={setSlug} position={position} onPosition={setPosition} />
    </WordsEditor>
  );
}

const PLACE = /^\d{1,5}$/;

/** Throws the field's sentence where it is none. */
function usePlaceOf(): (typed: string) => number {
  const t = useAreaWords<typeof english>('operation');
  return (typed) => {
    if (!PLACE.test(typed)) throw new Error(t('article.positionRule'));
    return Number(typed);
  };
}

interface HeadFieldsProps {
  slug: string;
  onSlug(slug: string): void;
  position: string;
  onPosition(position: string): void;
}

function HeadFields({ slug, onSlug, position, onPosition }: HeadFieldsProps) {
  const t = useAreaWords<typeof english>('operation');
  return (
    <>
      <TextField
        label={t('article.slug')}
        helperText={t('article.slugHelp')}
        value={slug}
        onChange={({ target }) => onSlug(target.value)}
        slotProps={{ htmlInput: { maxLength: 63 } }}
        required
      />
      <TextField
        label={t('article.position')}
        helperText={t('article.positionHelp')}
        value={position}
        error={!PLACE.test(position)}
        onChange={({ target }) => onPosition(target.value)}
        slotProps={{ htmlInput: { inputMode: 'numeric' } }}
      />
    </>
  );
}

function WordsEditor({
  first,
  isHeadTyped,
  onTyped,
  onSave,
  children,
}: {
  first: Words;
  /** Something is typed in the fields of `children`. */
  isHeadTyped: boolean;
  onTyped?(isTyped: boolean): void;
  onSave(words: Words, reason: string): Promise<void>;
  children: ReactNode;
}) {
  const t = useAreaWords<typeof english>('operation');
  const [began] = useState({ title: first.title, content: first.content });
  const [title, setTitle] = useState(began.title);
  const [content, setContent] = useState(began.content);
  useTyped(isHeadTyped || JSON.stringify({ title, content }) !== JSON.stringify(began), onTyped);
  const [language, setLanguage] = useState<Language>(useLanguage());
  const [isAsked, setAsked] = useState(false);
  const isMissing = (each: Language) => title[each].trim() === '' || content[each].trim() === '';
  return (
    <Card
      sx={{
        p: 2,
        display: 'grid',
        gap: 3,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr' } }}>{children}</Box>
        <LanguageTabs language={language} onLanguage={setLanguage} isMissing={isMissing}>
          <TextField
            label={t('article.title')}
            value={title[language]}
            onChange={({ target }) => setTitle({ ...title, [language]: target.value })}
            slotProps={{ htmlInput: { maxLength: 200 } }}
            required
          />
          <TextField
            label={t('article.content')}
            helperText={t('article.markdown')}
            value={content[language]}
            onChange={({ target }) => setContent({ ...content, [language]: target.value })}
            slotProps={{ htmlInput: { maxLength: 40_000 } }}
            multiline
            minRows={14}
            maxRows={30}
          />
        </LanguageTabs>
        <Box>
          <Button variant="contained" onClick={() => setAsked(true)}>
            {t('article.save')}
          </Button>
        </Box>
      </Box>
      <Box lang={language}>
        <Typography variant="overline" component="p">
          {t('preview')}
        </Typography>
        <ArticleText title={title[language]} content={content[language]} />
      </Box>
      {isAsked && (
        <ReasonDialog
          title={t('article.saveTitle')}
          confirmLabel={t('article.save')}
          onConfirm={(reason) => onSave({ title, content }, reason)}
          onClose={() => setAsked(false)}
        >
          <Typography>{t('article.saveText')}</Typography>
        </ReasonDialog>
      )}
    </Card>
  );
}
