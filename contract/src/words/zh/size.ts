// Before anything is made: whether there is room for it, and which size suits an image.
import type * as en from '../en/size.ts';
import type { Shape } from '../join.ts';

export const fit: Shape<typeof en.fit> = {
  fits: '目前有足够的资源。',
  someReplicas: '%{workers} 个副本中，目前可容纳 %{fitting} 个。',
};

export const recommendations: Shape<typeof en.recommendations> = {
  ran: '%{name} 以此规格运行该镜像。',
  ranWithGpu: '%{name} 以 %{count} × %{model} 运行该镜像；目前空闲 %{free} 张。',
  asks: '该镜像声明需要 GPU：%{count} × %{model} 即可满足，目前空闲 %{free} 张。',
  asksForNone: '该镜像声明不需要 GPU。',
  serves: '该镜像提供大小未知的语言模型服务。目前空闲 %{free} × %{model}。',
  servesSize: '该镜像提供语言模型服务，大小为 %{size} GiB：需要 %{count} × %{model}，目前空闲 %{free} 张。',
  freest: '此处尚未运行过该镜像。空闲 GPU 最多的型号是 %{model}：%{free} 张。',
  noCards: '此处尚未运行过该镜像，且目前没有可用的 GPU。',
};
