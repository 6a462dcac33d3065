import type { Shape } from '@gantry/ui/i18n/words.ts';
import type { words as english } from './en.ts';

export const words: Shape<typeof english> = {
  files: '选择文件',
  folder: '选择文件夹',
  drop: '将文件或文件夹拖放到此处',
  dropHint: '或将文件、文件夹拖放到此处',
  chosen: '%{smart_count} 个文件，%{size}',
  leftOut: '已忽略 %{smart_count} 个空文件或隐藏文件。',
  progress: '%{sent}，共 %{size}',
  hashing: '已与存储内容比对 %{hashed}，共 %{size}',
  speed: '%{speed}/s',
  left: '剩余 %{time}',
  away: '正在等待网络…',
  resume: '重新选择相同的文件以继续',
  resumeNone: '所选文件均不是尚缺的文件：名称和大小必须相同。',
  stays: '关闭页面后上传会停止，之后选择相同的文件即可继续。',
  download: '下载 %{path}',
  tooLarge: '此浏览器在下载完成前将内容保存在内存中，最多 %{most}。更大的内容请使用 Chrome 或 Edge，或通过 API 获取。',
  used: '已使用 %{used}，共 %{quota}',
  words: '以逗号分隔',
  cardHint: '不显示 HTML 和图片。',
  license: '许可证',
  languages: '语言',
  tags: '标签',
  card: '说明卡（Markdown）',
};
