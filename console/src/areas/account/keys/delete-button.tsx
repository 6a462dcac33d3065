import Delete from '@mui/icons-material/DeleteOutlined';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';

/** Its label names the row's object for screen readers. */
export function DeleteButton({ name, label, onClick }: { name: string; label: string; onClick: () => void }) {
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={`${label}: ${name}`} onClick={onClick}>
        <Delete fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}
