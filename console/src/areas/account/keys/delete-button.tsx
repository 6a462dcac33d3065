import Delete from '@mui/icons-material/DeleteOutlined';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';

/** Of a row: what it deletes is named to those who do not see which row it is in. */
export function DeleteButton({ name, label, onClick }: { name: string; label: string; onClick: () => void }) {
  return (
    <Tooltip title={label}>
      <IconButton size="small" aria-label={`${label}: ${name}`} onClick={onClick}>
        <Delete fontSize="small" />
      </IconButton>
    </Tooltip>
  );
}
