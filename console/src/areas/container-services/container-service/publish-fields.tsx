// The ports of a service, and whether one of them has an address on the internet, for whom.
import { fieldsOf } from '@gantry/ui/form/fields.tsx';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { Controller, useFormContext, useWatch } from 'react-hook-form';
import { FormSection } from '../../../parts/workload/form-section.tsx';
import { MOST_PORT, PortFields, portsText } from '../../../parts/workload/port-fields.tsx';
import { useDeployWords } from '../use-deploy-words.ts';
import { ACCESSES, type ServiceValues } from './service-values.ts';

const Field = fieldsOf<ServiceValues>();

export function PublishFields() {
  const t = useDeployWords();
  const { control } = useFormContext<ServiceValues>();
  const [isPublished, ports, access] = useWatch({ control, name: ['isPublished', 'ports', 'publish.access'] });
  const summary = [portsText(ports), ...(isPublished ? [t(`publish.accesses.${access}`)] : [])]
    .filter(Boolean)
    .join(' · ');
  return (
    <FormSection title={t('publish.title')} summary={summary}>
      <PortFields title={t('form.ports')} hint={t('publish.portsHint')} />
      <Controller
        control={control}
        name="isPublished"
        render={({ field: { value, ref, onChange, onBlur } }) => (
          <FormControlLabel
            control={<Switch checked={value} onChange={onChange} onBlur={onBlur} slotProps={{ input: { ref } }} />}
            label={t('publish.switch')}
          />
        )}
      />
      {isPublished && (
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '12rem 1fr' }, gap: 2 }}>
          <Field.Select
            name="publish.port"
            label={t('publish.port')}
            options={portsOf(ports).map((port) => ({ value: port, label: `${port}` }))}
          />
          <Field.Select
            name="publish.access"
            label={t('publish.access')}
            help={t(`publish.accessHints.${access}`)}
            options={ACCESSES.map((value) => ({ value, label: t(`publish.accesses.${value}`) }))}
          />
        </Box>
      )}
      <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '2fr 1fr 1fr' }, gap: 2 }}>
        <Field.Text
          name="readiness.path"
          label={t('readiness.path')}
          help={t('readiness.hint')}
          placeholder="/healthz"
          autoComplete="off"
        />
        <Field.Number
          name="readiness.port"
          label={t('readiness.port')}
          help={t('readiness.portHint')}
          range={[1, MOST_PORT]}
        />
        <Field.Number
          name="readiness.timeoutSeconds"
          label={t('readiness.timeout')}
          unit={t('units.seconds')}
          range={[1, 60]}
        />
      </Box>
    </FormSection>
  );
}

const portsOf = (ports: ServiceValues['ports']): number[] => [
  ...new Set(ports.flatMap(({ port }) => (port === undefined ? [] : [port]))),
];
