// The organisation's facts, and how to leave it.
import { CALLS } from '@gantry/contract/http/calls.ts';
import { organization as kind } from '@gantry/contract/kinds/organization.ts';
import { useCall } from '@gantry/ui/client/use-api.tsx';
import { timeText } from '@gantry/ui/format/time.ts';
import { useLanguage } from '@gantry/ui/i18n/use-words.tsx';
import { useMay } from '@gantry/ui/session/permission.tsx';
import { CopyButton } from '@gantry/ui/widgets/copy-button.tsx';
import { PhaseChip } from '@gantry/ui/widgets/phase-chip.tsx';
import { ErrorState, LoadingRows } from '@gantry/ui/widgets/states.tsx';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { FactList } from '../../../parts/fact-list.tsx';
import { Section } from '../../../parts/section.tsx';
import { useOrganization } from '../../../parts/use-me.ts';
import type { OrganizationDetail } from '../organization-of.ts';
import { useOrganizationWords } from '../use-organization-words.ts';
import { EditOrganization } from './edit-organization.tsx';
import { WaysOut } from './ways-out.tsx';

export function OverviewTab() {
  const { data, error, refetch } = useOrganization();
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingRows rows={9} height={48} />;
  return (
    <>
      <Facts organization={data} />
      <WaysOut organization={data} />
    </>
  );
}

function Facts({ organization }: { organization: OrganizationDetail }) {
  const t = useOrganizationWords();
  const language = useLanguage();
  const may = useMay();
  const { org_id, namespace, role, phase } = organization;
  const state = kind.phases[phase];
  return (
    <Section
      title={organization.org_name}
      beside={organization.is_personal && <Chip size="small" label={t('facts.personal')} />}
      lead={organization.is_personal && role === 'owner' ? t('personalLead') : undefined}
      actions={may('editOrganization') && <EditOrganization organization={organization} />}
    >
      <FactList
        facts={[
          {
            label: t('facts.description'),
            value: <Box sx={{ whiteSpace: 'pre-wrap' }}>{organization.description || t('facts.noDescription')}</Box>,
          },
          { label: t('facts.id'), value: org_id, action: <CopyButton text={org_id} label={t('facts.id')} /> },
          {
            label: t('facts.namespace'),
            value: namespace,
            action: <CopyButton text={namespace} label={t('facts.namespace')} />,
          },
          { label: t('facts.state'), value: <PhaseChip label={state[language]} tone={state.tone} /> },
          { label: t('facts.role'), value: `${t(`roles.${role}`)}: ${t(`roleHints.${role}`)}` },
          {
            label: t('facts.rights'),
            value: (
              <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
                {organization.rights.map((right) => (
                  <Chip key={right} size="small" variant="outlined" label={t(`rights.${right}`)} />
                ))}
              </Box>
            ),
          },
          { label: t('facts.plan'), value: <Plan /> },
          { label: t('facts.currency'), value: organization.currency },
          { label: t('facts.created'), value: timeText(organization.create_time) },
        ]}
      />
    </Section>
  );
}

function Plan() {
  const t = useOrganizationWords();
  const { data } = useCall(CALLS.getPlan, {});
  if (!data) return '–';
  const { hosts_held: held, hosts_cap: cap } = data;
  const hosts = cap === null ? t('facts.hostsOpen', { held }) : t('facts.hosts', { held, cap });
  return `${data.name} · ${hosts}`;
}
