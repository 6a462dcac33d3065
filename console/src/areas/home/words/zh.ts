import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: '首页',
  hello: '您好，%{name}',
  lead: '%{organization} 的概况。',
  create: '新建实例',
  running: {
    title: '正在运行',
    all: '全部实例',
    none: '目前没有运行中的实例，也没有需要处理的事项。',
    terminal: '打开终端',
  },
  steps: {
    title: '三步打开 GPU 上的终端',
    done: '已完成',
    open: '未完成',
    verify: {
      title: '实名认证，领取赠金',
      text: '通过实名认证即可一次性获得 100 美元赠金，也可以用银行卡充值。',
      waits: '您提交的资料正在审核，通过后即发放赠金。',
      hasCredit: '当前余额：%{balance}。',
      go: '去认证',
      pay: '充值',
    },
    key: {
      title: '添加 SSH 密钥',
      text: '用于通过 SSH 登录；浏览器中的终端无需密钥。',
      go: '添加密钥',
    },
    start: {
      title: '启动实例',
      text: '已为您填好一个小型试用实例，只需起个名字，几秒钟即可就绪。',
      go: '启动',
    },
  },
  quick: { title: '快速开始', again: '与上次相同', all: '全部镜像' },
  stock: {
    title: '可用 GPU',
    rent: '租用主机',
    none: '目前没有可用的 GPU。',
    free: '空闲 %{free} / 共 %{total}',
    use: '使用',
    useNamed: '使用 %{name}',
  },
  money: {
    title: '余额与费用',
    more: '费用',
    balance: '余额',
    perHour: '当前每小时费用',
    lasts: '余额可用',
    hours: '%{smart_count} 小时',
    days: '%{smart_count} 天',
    nothing: '当前没有计费资源',
    month: '本月支出',
    outOfCredit: '组织余额不足：充值前无法启动新的资源。',
    recharge: '充值',
  },
  plan: {
    title: '套餐',
    more: '主机',
    plan: '当前套餐',
    hosts: '已使用主机',
    of: '%{held} / %{cap}',
    unlimited: '%{held}，不限数量',
  },
  news: { title: '最新消息', none: '暂无消息。' },
};
