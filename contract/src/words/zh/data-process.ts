// Words of DataProcess.
import type * as en from '../en/data-process.ts';
import type { Shape } from '../join.ts';
import * as task from './data-task.ts';
import { actions as job } from './job.ts';
import * as lone from './lone-worker.ts';

export const name = '数据处理任务';
export const many = '数据处理任务';

export const reasons: Shape<typeof en.reasons> = {
  ...task.reasons,
  ...lone.reasons,
  Running: '正在处理数据集。',
  Succeeded: '数据集的新版本已就绪。',
  Suspended: '任务已挂起。恢复后将继续处理尚未完成的部分。',
  ImageNotFound: '无法拉取数据 Worker 的镜像：%{detail}。请联系服务提供方。',
  InputsGone: 'spec.input：该组织的数据集 %{dataset} 没有就绪的版本 %{version}。',
  OutputTaken: 'spec.output：数据集 %{dataset} 无法接收新版本：%{detail}',
  ModelNotServing: 'spec.model：%{model} 没有响应。请启动该部署，或选择其他部署。',
  TooManyRejected: '超过 %{most}% 的单元被拒绝。请下载被拒绝的单元，或调大 spec.maxRejectedPercent。',
  TokenBudgetSpent:
    '%{tokens} 个 token 的预算已用完。新版本包含已完成的部分；调大 spec.maxTokens 并再次运行任务以完成其余部分。',
  NothingDone: '没有产生任何结果：所有单元均失败、被跳过或为空。',
};

export const actions: Shape<typeof en.actions> = {
  ...task.actions,
  runAgain: job.runAgain,
  tryAgain: '重试失败的单元',
};

export const types: Shape<typeof en.types> = {
  QaPairs: '问答对',
  KnowledgeBase: '知识库',
  KnowledgeGraph: '知识图谱',
  Clean: '清洗',
  Split: '拆分',
  Convert: '转换',
};

export const unitReasons: Shape<typeof en.unitReasons> = {
  TooLong: '文本超过单次模型请求的长度上限。',
  ModelRefusedText: '模型拒绝了该文本。',
  ModelBusy: '多次请求时模型均繁忙。',
  ModelFailed: '多次请求时模型均出错。',
  AnswerNotInShape: '模型的应答不符合要求的格式，重试后仍然如此。',
  AnswerCut: '模型的应答达到最大长度而被截断，重试后仍然如此。',
  VectorNotFinite: '模型返回的向量含有非数值。',
  VectorZero: '模型返回的向量没有方向。',
  VectorOfOtherLength: '模型返回的向量与其他向量长度不同。',
  NoText: '没有文本。',
};

export const removed: Shape<typeof en.removed> = {
  Duplicate: '重复',
  NearDuplicate: '近似重复',
  TooShort: '过短',
  TooLarge: '过长',
  OtherLanguage: '其他语言',
};

export const masked: Shape<typeof en.masked> = {
  email: '邮箱地址',
  phone: '电话号码',
  card: '银行卡号',
  iban: 'IBAN',
  ip: 'IP 地址',
  'chinese-id': '中国居民身份证号',
  'my-number': '日本个人编号',
};

export const problems: Shape<typeof en.problems> = {
  ...task.problems,
  TooManyUnits: '输入超过 %{most} 个单元。',
  TooManyRejected: '%{units} 个单元中有 %{failed} 个失败，超过 %{percent}%。',
  TokenBudgetSpent: 'token 预算在生成任何结果前已用完：共 %{units} 个单元，完成 %{done} 个，失败 %{failed} 个。',
  NothingMade: '输入未产生任何结果。',
  ModelRefused: '无法调用模型：模型返回状态码 %{status}。',
};

export const rules: Shape<typeof en.rules> = {
  ...task.rules,
  output: 'spec.output：dataset 与 name 必须且只能填写一个',
  block: 'spec：必须且只能填写与 spec.type 对应的参数：qa、chunks、graph、clean、split 或 convert',
  model: 'spec.model：该类型需要模型',
  modelName: 'model 必须是部署或别名：字母、数字、.、_、-、: 和 /',
  overlap: 'chunks.overlap 不能超过 maxTokens 的一半',
  entityTypes: 'entityTypes：每个类型只能出现一次',
  lengths: 'clean.maxChars 不能小于 minChars',
  language: 'languages 必须是小写的 ISO 639 代码，例如 en',
  partName: 'parts.name 只能是字母、数字、- 和 _，并以字母或数字开头',
  partNames: 'split.parts：名称不能相同，不区分大小写',
  percents: 'split.parts：百分比之和必须为 100',
};
