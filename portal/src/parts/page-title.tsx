// A page's heading, and the line below it.
import Typography from '@mui/material/Typography';

export const PageTitle = ({ title, line }: { title: string; line?: string | undefined }) => (
  <>
    <Typography variant="h1" sx={{ fontSize: { xs: 28, md: 36 }, letterSpacing: '-0.01em' }}>
      <bdi>{title}</bdi>
    </Typography>
    {line !== undefined && (
      <Typography color="text.secondary" sx={{ mt: 1, maxWidth: '44rem' }}>
        {line}
      </Typography>
    )}
  </>
);
