// Why a data server refuses, by its codes. Where the sentence is DuckDB's own, or names a file, it has none here.

import type * as en from '../en/data-server.ts';
import type { Shape } from '../join.ts';

export const refusals: Shape<typeof en.refusals> = {
  NotOneSelect: '查询只能是一条不修改任何数据的 SELECT。',
  NotAllowed: '查询只能读取指定的表，不能访问文件、网络地址或设置。',
  NothingInCommon: '两个版本没有共同的列。',
  KeyNotUnique: '多行在这些列中的值相同，因此这些列不能作为键。',
  ReaderDied: '读取程序在处理该数据时崩溃。',
  SeveralKinds: '文件中包含多种类型的表。一个版本只能包含一种类型的表。',
  TooManyColumns: '表的列数过多：最多可读取 %{most} 列。',
  ColumnNameTooLong: '列名过长：最多 %{most} 个字符。',
  TooManyPages: '有文档多达 %{pages} 页：最多可读取 %{most} 页。',
  TooManyFiles: '有压缩包包含 %{files} 个文件：最多可读取 %{most} 个。',
  TooLarge: '数据过大，无法读取为表格，上限为 %{most} 字节。',
  TooSlow: '读取数据耗时过长。',
  TooMuchMemory: '读取数据占用的内存过多。',
  AnswerTooLong: '结果过长。',
  DiskFull: '数据服务器的磁盘空间不足以处理该数据。',
  VectorsBroken: '知识库的向量文件无法读取。请重新构建知识库。',
  WordsBroken: '知识库的词索引文件无法读取。请重新构建知识库。',
  NoSuchColumn: '第 %{dataset} 个数据集没有列 %{column}。',
  TemplateMissing: '基础模型没有对话模板，无法得知对话应如何书写。',
  TemplateBroken: '基础模型的对话模板出错：%{detail}',
  TokenizerMissing: '基础模型没有 tokenizer.json，无法统计 token。',
  TokenizerBroken: '无法使用基础模型的分词器：%{detail}',
};
