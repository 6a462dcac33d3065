// The menu "dataset" in the tables of the operators’ console.

export const words = {
  resources: {
    datasets: { one: '数据集', many: '数据集' },
    'dataset-usage': { one: '组织的数据集', many: '数据集用量' },
  },
  fields: {
    'datasets.type': '类型',
    format: '格式',
    'datasets.rows': '行数',
    'datasets.size_bytes': '大小',
    'datasets.updated_at': '更新时间',
    datasets: '数据集数',
    versions: '就绪版本数',
    'dataset-usage.size_bytes': '存储量',
  },
  choices: {
    'datasets.type': {
      file: '文件',
      qa: '问答对',
      rag: 'RAG 知识库',
      prompt: '提示词',
    },
    'datasets.state': {
      ready: '就绪',
      processing: '处理中',
      failed: '失败',
      empty: '无版本',
    },
    'datasets.format': {
      csv: 'CSV',
      tsv: 'TSV',
      json: 'JSON',
      jsonl: 'JSON Lines',
      parquet: 'Parquet',
      text: '纯文本',
      markdown: 'Markdown',
      pdf: 'PDF',
      docx: 'DOCX',
      image: '图像',
      audio: '音频',
      mixed: '多种',
      other: '其他',
    },
  },
} as const;
