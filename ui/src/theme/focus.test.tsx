// Where the keyboard is, is seen: on each sort of thing that takes the focus, by a rule of its own. A global one does not outweigh theirs.
import { afterEach, expect, test } from '@jest/globals';
import Accordion from '@mui/material/Accordion';
import AccordionSummary from '@mui/material/AccordionSummary';
import Button from '@mui/material/Button';
import CardActionArea from '@mui/material/CardActionArea';
import Checkbox from '@mui/material/Checkbox';
import Chip from '@mui/material/Chip';
import Fab from '@mui/material/Fab';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import ListItemButton from '@mui/material/ListItemButton';
import MenuItem from '@mui/material/MenuItem';
import MenuList from '@mui/material/MenuList';
import Pagination from '@mui/material/Pagination';
import Radio from '@mui/material/Radio';
import Slider from '@mui/material/Slider';
import Switch from '@mui/material/Switch';
import { ThemeProvider } from '@mui/material/styles';
import Tab from '@mui/material/Tab';
import TableSortLabel from '@mui/material/TableSortLabel';
import Tabs from '@mui/material/Tabs';
import ToggleButton from '@mui/material/ToggleButton';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { ACCENTS } from './palette.ts';
import { appTheme } from './theme.ts';

afterEach(cleanup);

const KINDS: Readonly<Record<string, ReactNode>> = {
  button: <Button>a</Button>,
  'filled button': <Button variant="contained">a</Button>,
  'outlined button': <Button variant="outlined">a</Button>,
  'icon button': <IconButton aria-label="a">a</IconButton>,
  'floating button': <Fab>a</Fab>,
  'link that is a button': <Link component="button">a</Link>,
  tab: (
    <Tabs value={0}>
      <Tab label="a" />
    </Tabs>
  ),
  'chip that is pressed': <Chip label="a" onClick={() => {}} />,
  'chip that is deleted': <Chip label="a" onDelete={() => {}} />,
  'sort label': <TableSortLabel>a</TableSortLabel>,
  checkbox: <Checkbox />,
  radio: <Radio />,
  switch: <Switch />,
  slider: <Slider aria-label="a" />,
  'toggle button': <ToggleButton value="a">a</ToggleButton>,
  'item of a menu': (
    <MenuList>
      <MenuItem>a</MenuItem>
    </MenuList>
  ),
  'row of the sidebar': <ListItemButton href="/a">a</ListItemButton>,
  'heading of an accordion': (
    <Accordion>
      <AccordionSummary>a</AccordionSummary>
    </Accordion>
  ),
  'card that is pressed': <CardActionArea>a</CardActionArea>,
  'page of several': <Pagination count={2} />,
};

test.each(Object.keys(KINDS))('%s', async (kind) => {
  render(<ThemeProvider theme={appTheme()}>{KINDS[kind]}</ThemeProvider>);
  await userEvent.tab();
  const focused = document.activeElement;
  expect(focused).not.toBe(document.body);
  // A checkbox's own field is invisible: what is drawn around it shows the focus.
  const shown = [focused, focused?.parentElement].map((one) => one && getComputedStyle(one).outline);
  expect(shown).toContainEqual(expect.stringMatching(/^(2px solid |auto)/));
});

const channel = (part: string): number => {
  const value = Number.parseInt(part, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
/** WCAG 2: the relative luminance of `#rrggbb`. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = (color.match(/[0-9a-f]{2}/gi) ?? []).map(channel);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a: string, b: string): number => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

test.each(['light', 'dark'] as const)('its colour stands out in the %s scheme, whatever the accent is', (scheme) => {
  const { default: page = '', paper = '' } = appTheme().colorSchemes[scheme]?.palette.background ?? {};
  for (const shades of Object.values(ACCENTS))
    for (const behind of [page, paper]) expect(contrast(shades[scheme], behind)).toBeGreaterThanOrEqual(3);
});
