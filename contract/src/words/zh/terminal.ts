// A terminal's messages.

import type * as en from '../en/terminal.ts';
import type { Shape } from '../join.ts';

export const statuses: Shape<typeof en.statuses> = {
  connected: '已连接。',
  failed: '控制台连接失败。',
  closed: '连接已关闭（刷新以重新连接）。',
};

export const ends: Shape<typeof en.ends> = {
  noShell: '镜像中没有 shell，因此无法在其中打开终端。',
  exited: 'Shell 已结束，退出码 %{code}。',
  lost: '容器已停止，或其节点无法访问。',
  unreachable: '无法连接到容器。',
  badOutput: '实例中的代理发送了无效数据。重启实例会重新安装代理。',
  failed: '网关无法继续此终端，请重新打开。',
  idle: '已有 %{minutes} 分钟没有输入或输出。',
  tooLong: '终端最多保持打开 %{hours} 小时。',
  signedOut: '您的会话已结束，或您已无权使用此终端。',
  restart: '网关正在重启。',
  misused: '浏览器发送了无效数据。',
  moved: '该会话已在另一个窗口中打开。',
  gone: '该会话已结束。',
  left: '浏览器已断开。',
  gatewayLost: '提供此终端的网关已不存在。',
};
