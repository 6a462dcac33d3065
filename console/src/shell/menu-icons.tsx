// A picture for each menu, which stands alone where the sidebar is narrow.
import Account from '@mui/icons-material/AccountCircleOutlined';
import Job from '@mui/icons-material/AssignmentOutlined';
import Chat from '@mui/icons-material/ChatOutlined';
import Service from '@mui/icons-material/CloudOutlined';
import Dashboard from '@mui/icons-material/DashboardOutlined';
import Nodes from '@mui/icons-material/DnsOutlined';
import File from '@mui/icons-material/FolderOutlined';
import Organization from '@mui/icons-material/GroupsOutlined';
import Home from '@mui/icons-material/HomeOutlined';
import Model from '@mui/icons-material/HubOutlined';
import Template from '@mui/icons-material/LayersOutlined';
import Alarm from '@mui/icons-material/NotificationsActiveOutlined';
import Billing from '@mui/icons-material/PaymentsOutlined';
import Policy from '@mui/icons-material/PolicyOutlined';
import Deployment from '@mui/icons-material/RocketLaunchOutlined';
import Evaluation from '@mui/icons-material/RuleOutlined';
import Metric from '@mui/icons-material/ShowChartOutlined';
import Performance from '@mui/icons-material/SpeedOutlined';
import Storage from '@mui/icons-material/StorageOutlined';
import DataSpace from '@mui/icons-material/TableChartOutlined';
import Instance from '@mui/icons-material/TerminalOutlined';
import Processing from '@mui/icons-material/TransformOutlined';
import Analysis from '@mui/icons-material/TroubleshootOutlined';
import FineTune from '@mui/icons-material/TuneOutlined';
import type { ComponentType } from 'react';
import type { MenuName } from '../area.ts';

export const MENU_ICONS: Readonly<Record<MenuName, ComponentType<{ fontSize?: 'small' }>>> = {
  home: Home,
  'gpu/nodes': Nodes,
  'gpu/storage': Storage,
  'model/space': Model,
  'model/deployment': Deployment,
  'model/finetune': FineTune,
  'model/evaluation': Evaluation,
  'model/chat': Chat,
  'data/space': DataSpace,
  'data/processing': Processing,
  'monitor/dashboard': Dashboard,
  'monitor/performance': Performance,
  'monitor/analysis': Analysis,
  'monitor/metric': Metric,
  'monitor/policy': Policy,
  'monitor/alarm': Alarm,
  'develop/instance': Instance,
  'develop/template': Template,
  'develop/file': File,
  'deploy/job': Job,
  'deploy/service': Service,
  'manage/account': Account,
  'manage/billing': Billing,
  'manage/organization': Organization,
};
