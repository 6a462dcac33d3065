// Before anything is made: whether there is room for it, and which size suits an image.
import type * as en from '../en/size.ts';
import type { Shape } from '../join.ts';

export const fit: Shape<typeof en.fit> = {
  fits: '現在、空きがあります。',
  someReplicas: '現在、レプリカ %{workers} 個のうち %{fitting} 個分の空きがあります。',
};

export const recommendations: Shape<typeof en.recommendations> = {
  ran: '%{name} がこのイメージをこの構成で実行しています。',
  ranWithGpu: '%{name} がこのイメージを %{count} × %{model} で実行しています。現在の空きは %{free} 枚です。',
  asks: 'このイメージは GPU を必要としています。%{count} × %{model} で足り、現在 %{free} 枚が空いています。',
  asksForNone: 'このイメージは GPU を必要としないと記載されています。',
  serves: 'このイメージは、サイズが不明な言語モデルを提供します。現在 %{free} × %{model} が空いています。',
  servesSize:
    'このイメージは言語モデルを提供し、サイズは %{size} GiB です。%{count} × %{model} が必要で、現在の空きは %{free} 枚です。',
  freest: 'このイメージはまだここで実行されていません。空きが最も多い GPU は %{model} で、%{free} 枚です。',
  noCards: 'このイメージはまだここで実行されておらず、提供中の GPU もありません。',
};
