// 运营控制台表格中的成员关系、登录记录与会话。
import type { words as english } from '../en/admin-people.ts';

export const words: typeof english = {
  resources: {
    members: { one: '成员关系', many: '成员关系' },
    'sign-ins': { one: '登录记录', many: '登录记录' },
    sessions: { one: '会话', many: '会话' },
    views: { one: '租户视角查看', many: '租户视角查看' },
  },
  fields: {
    second_factor: '两步验证',
    role: '角色',
    way: '方式',
    outcome: '结果',
    times: '次数',
    first_at: '首次',
    last_at: '最近',
    last_used_at: '最近使用',
    expires_at: '到期时间',
    started_at: '开始时间',
    ended_at: '结束时间',
  },
  choices: {
    role: {
      owner: '所有者',
      admin: '管理员',
      member: '成员',
      billing: '财务',
      viewer: '只读',
    },
    way: {
      password: '密码',
      secondFactor: '两步验证',
      provider: '第三方登录',
    },
    outcome: {
      signedIn: '登录成功',
      wrongPassword: '密码错误',
      wrongCode: '验证码错误',
      locked: '已锁定',
      disabled: '账号已停用',
      mustChangePassword: '须修改密码',
    },
  },
};
