import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  title: '终端',
  screen: '终端屏幕',
  back: '返回其页面',
  cluster: '集群',
  namespace: '命名空间',
  container: '容器',
  status: {
    connecting: '连接中',
    connected: '已连接',
    failed: '连接失败',
    closed: '已关闭',
  },
  tools: '终端工具',
  copy: '复制所选内容',
  paste: '粘贴',
  pasteByKeys: '浏览器不允许通过按钮读取剪贴板，请使用 Ctrl+Shift+V 粘贴。',
  search: { label: '在终端中搜索', before: '上一个匹配', after: '下一个匹配' },
  smaller: '缩小字号',
  larger: '放大字号',
  read: '屏幕阅读器模式',
  keys: '按键',
  reconnect: '重新连接',
  again: '新的 Shell',
  broke: '连接已断开，或服务正在重启。',
  sessions: {
    label: '您在此实例中的会话',
    name: '会话 %{number}',
    new: '新建会话',
    end: '关闭会话',
    endTitle: '要关闭该会话吗？',
  },
  leave: {
    title: '要离开终端吗？',
    lost: 'Shell 以及在其中启动的所有程序。',
    kept: '文件，以及在 tmux 中运行或用 nohup 启动的程序。',
    confirm: '离开',
  },
};
