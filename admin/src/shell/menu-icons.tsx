// One picture per menu.

import type { AdminMenu } from '@gantry/contract/roles.ts';
import type { SvgIconComponent } from '@mui/icons-material';
import Payments from '@mui/icons-material/AccountBalanceWalletOutlined';
import Campaign from '@mui/icons-material/CampaignOutlined';
import Home from '@mui/icons-material/DashboardOutlined';
import Dataset from '@mui/icons-material/DatasetOutlined';
import Computer from '@mui/icons-material/DnsOutlined';
import Verified from '@mui/icons-material/FactCheckOutlined';
import Portal from '@mui/icons-material/LanguageOutlined';
import Discount from '@mui/icons-material/LocalOfferOutlined';
import People from '@mui/icons-material/PeopleAltOutlined';
import Storage from '@mui/icons-material/StorageOutlined';
import Model from '@mui/icons-material/ViewInArOutlined';

export const MENU_ICONS: Readonly<Record<AdminMenu | 'home', SvgIconComponent>> = {
  home: Home,
  computing: Computer,
  storage: Storage,
  billing: Payments,
  operation: Campaign,
  portal: Portal,
  model: Model,
  dataset: Dataset,
  user: People,
  audit: Verified,
  discount: Discount,
};
