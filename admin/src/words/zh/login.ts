import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from '../en/login.ts';

export const words: Shape<typeof english> = {
  product: 'Gantry 运营控制台',
  title: '登录',
  lead: '供平台员工使用。',
  account: '账号名、邮箱或手机号',
  accountMissing: '请输入用户名',
  password: '密码',
  passwordMissing: '请输入密码',
  submit: '登录',
  second: '两步验证',
  secondLead: '请输入验证器显示的六位数字，或恢复码。',
  code: '验证码',
  codeMissing: '请输入验证码',
  change: '设置新密码',
  changeLead: '继续前须修改密码：8 至 16 个字符，包含字母和数字。',
  changeSubmit: '保存并登录',
  newPassword: '新密码',
  repeat: '再次输入新密码',
  mismatch: '两次输入的密码不一致。',
};
