// An object's conditions beside its phase, each with its time. The API's name is below: kubectl and support staff use that.
import { timeText } from '@gantry/ui/format/time.ts';
import CheckCircle from '@mui/icons-material/CheckCircleOutlined';
import HelpOutline from '@mui/icons-material/HelpOutlineOutlined';
import RemoveCircle from '@mui/icons-material/RemoveCircleOutlineOutlined';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { usePartsWords } from './use-parts-words.ts';
import type { words as english } from './words/en.ts';

interface ConditionListProps {
  conditions: readonly {
    type: string;
    status: 'True' | 'False' | 'Unknown';
    reason: string;
    message: string;
    since: string;
  }[];
}

const ICONS = { True: CheckCircle, False: RemoveCircle, Unknown: HelpOutline } as const;

type ConditionType = keyof typeof english.conditions.types;

export function ConditionList({ conditions }: ConditionListProps) {
  const t = usePartsWords();
  return (
    <Box component="ul" sx={{ listStyle: 'none', p: 0, m: 0 }}>
      {conditions.map(({ type, status, reason, message, since }) => {
        const Icon = ICONS[status];
        // A newer operator may have others: then only their name is known.
        const label = type in TYPES ? t(`conditions.types.${type as ConditionType}`) : type;
        return (
          <Box component="li" key={type} sx={{ display: 'flex', gap: 1.5, py: 1 }}>
            <Icon
              fontSize="small"
              color={status === 'True' ? 'success' : 'action'}
              titleAccess={t(`conditions.is.${status}`)}
            />
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                <strong>{label}</strong>
              </Typography>
              <Typography variant="body2" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
                {message}
              </Typography>
              <Typography variant="caption" color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
                {type} · {reason} · {t('conditions.since', { time: timeText(since) })}
              </Typography>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}

const TYPES: Readonly<Record<ConditionType, true>> = {
  Ready: true,
  CreditReserved: true,
  RootKept: true,
  HomeGrown: true,
  HomeTied: true,
  KeysAccepted: true,
  RestartNeeded: true,
  Resized: true,
  SizeEnforced: true,
  TiedToNode: true,
  Reconciled: true,
  FilesAvailable: true,
};
