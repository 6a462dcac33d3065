// Why a data server refuses, by its codes. Where the sentence is DuckDB's own, or names a file, it has none here.

import type * as en from '../en/data-server.ts';
import type { Shape } from '../join.ts';

export const refusals: Shape<typeof en.refusals> = {
  NotOneSelect: '查询只能是一条不作任何修改的 SELECT。',
  NotAllowed: '查询只能读取它的表，不能访问文件、地址或设置。',
  NothingInCommon: '两个版本没有共同的列。',
  KeyNotUnique: '这些列中有多行的值相同，不能作为键。',
  ReaderDied: '读取数据的程序因该数据而崩溃。',
  SeveralKinds: '这些是多种类型的表。一个版本只能包含一种类型的表。',
  TooManyColumns: '表的列过多：最多读取 %{most} 列。',
  ColumnNameTooLong: '列名过长：最多 %{most} 个字符。',
  TooManyPages: '文档有 %{pages} 页：最多读取 %{most} 页。',
  TooManyFiles: '压缩包中有 %{files} 个文件：最多读取 %{most} 个。',
  TooLarge: '数据过大，无法作为表读取：最多 %{most} 字节。',
  TooSlow: '读取数据耗时过长。',
  TooMuchMemory: '读取数据占用的内存过多。',
  AnswerTooLong: '从数据中得到的结果过长。',
  DiskFull: '数据所需的空间超过数据服务器的容量。',
};
