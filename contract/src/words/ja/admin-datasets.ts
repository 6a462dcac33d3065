// The menu "dataset" in the tables of the operators’ console.

export const words = {
  resources: {
    datasets: { one: 'データセット', many: 'データセット' },
    'dataset-usage': { one: '組織のデータセット', many: 'データセットの使用量' },
  },
  fields: {
    'datasets.type': '種類',
    format: '形式',
    'datasets.rows': '行数',
    'datasets.size_bytes': 'サイズ',
    'datasets.updated_at': '更新',
    datasets: 'データセット数',
    versions: '利用可能なバージョン数',
    'dataset-usage.size_bytes': '保存量',
  },
  choices: {
    'datasets.type': {
      file: 'ファイル',
      qa: 'Q&A ペア',
      rag: 'RAG ナレッジベース',
      prompt: 'プロンプト',
    },
    'datasets.state': {
      ready: '利用可能',
      processing: '処理中',
      failed: '失敗',
      empty: 'バージョンなし',
    },
    'datasets.format': {
      csv: 'CSV',
      tsv: 'TSV',
      json: 'JSON',
      jsonl: 'JSON Lines',
      parquet: 'Parquet',
      text: 'テキスト',
      markdown: 'Markdown',
      pdf: 'PDF',
      docx: 'DOCX',
      image: '画像',
      audio: '音声',
      mixed: '複数',
      other: 'その他',
    },
  },
} as const;
