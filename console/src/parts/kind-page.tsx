// One object of a kind: its name, its state and the reason, its price and its commands, above tabs that each have an address.
// Differences between kinds are data. The conditions are available where the state alone does not say enough.
import type { Call } from '@gantry/contract/http/call.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { CommonView, PriceView } from '@gantry/contract/kind-api.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { MONO } from '@gantry/ui/theme/theme.ts';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { PageHeader } from '@gantry/ui/widgets/page-header.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import type * as z from 'zod';
import { ActionButtons } from './action-buttons.tsx';
import type { ActedKind } from './action-calls.ts';
import { ConditionList } from './condition-list.tsx';
import { type Live, LiveStrip } from './head/live-strip.tsx';
import { BesideNextStep, type NextStep, NextStepButton } from './head/next-step.tsx';
import { IdWithCopy } from './id-with-copy.tsx';
import { PageTabs, tabAt } from './page-tabs.tsx';
import { PriceText } from './price-text.tsx';
import { StateHistory } from './state-history.tsx';
import { isGone, UntilShown } from './until-shown.tsx';
import { usePartsWords } from './use-parts-words.ts';

/** The read of one object, as far as this page needs it. */
interface ReadFacts<View> extends RouteFacts {
  params: z.ZodObject<{ id: z.ZodString }>;
  answer: { result: z.ZodType<View> };
}

/** In the order in which a page shows them. */
const TABS = [
  'overview',
  'files',
  'units',
  'checkpoints',
  'examples',
  'runs',
  'requests',
  'replicas',
  'revisions',
  'logs',
  'metrics',
  'collected',
  'lineage',
  'access',
  'history',
  'settings',
] as const;
type TabName = (typeof TABS)[number];
/** Every kind has these. */
const ALWAYS: readonly TabName[] = ['overview', 'history'];

interface KindPageProps<Kind extends ActedKind, View extends CommonView> {
  kind: Kind;
  read: Call<ReadFacts<View>>;
  /** The address of the list; `:id` and, at the end, `:tab?` of the page's own address are below it. */
  list: string;
  /** The path between the two; the id by default. */
  pathOf?: (object: View) => string;
  /** Those that the kind has; what it adds to the overview and to the history. */
  tabs: { readonly [Name in TabName]?: (object: View) => ReactNode };
  /** Those that this object has not. */
  without?: (object: View) => readonly TabName[];
  /** The tab that the page opens with; the overview by default. */
  first?: TabName;
  /** Absent: the kind costs nothing. */
  price?: (object: View) => PriceView | null;
  /** How it is, where its phase does not say it. */
  chip?: (object: View) => ReactNode;
  /** A remedy for the reason of its state. */
  remedy?: (object: View) => ReactNode;
  /** The one next step in its state; undefined: its first command is. */
  next?: (object: View) => NextStep | undefined;
  /** What it uses now; undefined while it does not run. */
  live?: (object: View) => Live | undefined;
  /** The line by which programs and people reach it. */
  line?: (object: View) => { readonly label: string; readonly text: string } | undefined;
  /** Its commands, where they need more than the plain bar. */
  actions?: (object: View, onDone: (action: string) => void) => ReactNode;
}

export function KindPage<Kind extends ActedKind, View extends CommonView>(props: KindPageProps<Kind, View>) {
  const { id = '' } = useParams();
  const { data: object, error, refetch } = useCall(props.read, { params: { id } });
  // One that was there keeps being shown until it is known to be gone.
  if (object && !isGone(error)) return <LoadedObject key={id} {...props} object={object} />;
  return <UntilShown id={id} error={error} list={props.list} onRetry={() => void refetch()} />;
}

function LoadedObject<Kind extends ActedKind, View extends CommonView>({
  kind,
  list,
  pathOf = ({ id }) => encodeURIComponent(id),
  tabs,
  without = () => [],
  first = 'overview',
  price,
  chip = ({ phase_label: label, tone, message }) => <PhaseChip label={label} tone={tone} message={message} />,
  remedy,
  next: nextOf,
  live: liveOf,
  line: lineOf,
  actions = (target, onDone) => <ActionButtons kind={kind} target={target} shown={2} size="medium" onDone={onDone} />,
  object,
}: KindPageProps<Kind, View> & { object: View }) {
  const t = usePartsWords();
  const go = useNavigate();
  const lacking = without(object);
  const had = TABS.filter((name) => (ALWAYS.includes(name) || tabs[name]) && !lacking.includes(name));
  const rows = [first, ...had.filter((name) => name !== first)].map((name) => ({ name }));
  const shown = tabAt(rows, useParams().tab)?.name;
  const path = `${list}/${pathOf(object)}`;
  if (!shown) return <Navigate to={path} replace />;
  const { id, name, conditions } = object;
  const [next, live, line] = [nextOf?.(object), liveOf?.(object), lineOf?.(object)];
  return (
    <>
      <PageHeader
        title={name}
        beside={<span aria-live="polite">{chip(object)}</span>}
        lead={
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, alignItems: 'center' }}>
            <IdWithCopy id={id} />
            {price && <Price price={price(object)} />}
            {line && <LineToCopy {...line} />}
          </Box>
        }
      >
        {next && <NextStepButton step={next} />}
        <BesideNextStep value={next !== undefined}>
          {/* Of what is given up there is soon no page any more. */}
          {actions(object, (action) => action === 'release' && void go(list))}
        </BesideNextStep>
      </PageHeader>
      <Why object={object}>{remedy?.(object)}</Why>
      {live && <LiveStrip id={id} live={live} />}
      <PageTabs label={name} path={path} tabs={rows} shown={shown} labelOf={(tab) => t(`page.tabs.${tab}`)}>
        {shown === 'history' && <StateHistory kind={kind} id={id} />}
        {tabs[shown]?.(object)}
        {shown === 'overview' && conditions.length > 0 && (
          <Box component="details">
            <Typography component="summary" variant="h2" sx={{ cursor: 'pointer', py: 1 }}>
              {t('page.details')}
            </Typography>
            <ConditionList conditions={conditions} />
          </Box>
        )}
      </PageTabs>
    </>
  );
}

const LineToCopy = ({ label, text }: { label: string; text: string }) => (
  <Box
    component="span"
    sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, minWidth: 0, maxWidth: 'min(100%, 26rem)' }}
  >
    <Box
      component="code"
      title={text}
      sx={{ fontFamily: MONO, fontSize: 12, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
    >
      {text}
    </Box>
    <CopyButton text={text} label={label} />
  </Box>
);

function Price({ price }: { price: PriceView | null }) {
  const t = usePartsWords();
  return <strong>{price ? <PriceText price={price} /> : t('page.free')}</strong>;
}

/** Objects in order, or at rest, need no sign. */
const SEVERITIES = { bad: 'error', warning: 'warning', progress: 'info', good: undefined, neutral: undefined } as const;

/** Why it is in its phase, with the numbers that the sentence has. */
function Why({ object: { tone, message }, children }: { object: CommonView; children: ReactNode }) {
  const severity = SEVERITIES[tone];
  return (
    <Box aria-live="polite" sx={{ mb: 2 }}>
      {message !== null && severity && (
        <Alert severity={severity}>
          {message}
          {children}
        </Alert>
      )}
      {message !== null && !severity && <Typography variant="body2">{message}</Typography>}
    </Box>
  );
}
