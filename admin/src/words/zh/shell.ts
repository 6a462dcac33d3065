import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from '../en/shell.ts';

export const words: Shape<typeof english> = {
  product: 'Gantry 运营',
  toHome: '首页',
  notFound: '页面不存在，或您的角色无权访问。',
  newVersion: '有新版本可用，页面将自动刷新。',
  sidebar: {
    label: '菜单',
    open: '打开菜单',
    wide: '展开侧边栏',
    narrow: '收起侧边栏',
  },
  user: { label: '账号：%{name}', logout: '退出登录' },
  notStaff: {
    title: '此控制台仅供平台员工使用',
    text: '您当前以 %{name} 登录，该账号没有平台员工角色。请联系管理员授予角色，或退出后使用其他账号。',
  },
  second: {
    title: '设置两步验证',
    lead: '本平台要求平台员工启用两步验证。请用验证器应用扫描二维码，然后输入其显示的六位数字。',
    secret: '或手动输入此密钥：',
    password: '您的密码',
    start: '继续',
    code: '验证码',
    confirm: '启用并继续',
    recovery: '请妥善保存这些恢复码。丢失验证器时，每个恢复码可使用一次。',
    done: '我已保存',
    missing: '请填写此项',
  },
  crumbs: '面包屑导航',
  billing: { moneyIn: '收款', documents: '单据', ledger: '账簿', prices: '价格' },
  storage: { snapshots: '快照' },
  operation: { metrics: '指标' },
  later: {
    shelf: '上架管理',
    portal: '已上架的模型和数据集将在此排序。',
  },
  list: {
    utc: '%{time} UTC',
    always: '自始有效',
  },
  moment: { zone: '您的时区：%{zone}', inUtc: '%{zone} · %{utc} UTC' },
  waitsForSecond: '此操作须由第二人审批：申请已列入“账务 → 审批”。',
  reason: {
    label: '原因',
    help: '将记入审计日志。',
    missing: '请填写原因',
  },
};
