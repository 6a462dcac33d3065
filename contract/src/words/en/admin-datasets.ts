// The menu "dataset" in the tables of the operators’ console.

export const words = {
  resources: {
    datasets: { one: 'Dataset', many: 'Datasets' },
    'dataset-usage': { one: 'Datasets of an organisation', many: 'Dataset usage' },
  },
  fields: {
    'datasets.type': 'Type',
    format: 'Format',
    'datasets.rows': 'Rows',
    'datasets.size_bytes': 'Size',
    'datasets.updated_at': 'Updated',
    datasets: 'Datasets',
    versions: 'Ready versions',
    'dataset-usage.size_bytes': 'Stored',
  },
  choices: {
    'datasets.type': {
      file: 'Files',
      qa: 'QA pairs',
      rag: 'RAG knowledge base',
      prompt: 'Prompts',
    },
    'datasets.state': {
      ready: 'Ready',
      processing: 'Processing',
      failed: 'Failed',
      empty: 'No version',
    },
    'datasets.format': {
      csv: 'CSV',
      tsv: 'TSV',
      json: 'JSON',
      jsonl: 'JSON Lines',
      parquet: 'Parquet',
      text: 'Plain text',
      markdown: 'Markdown',
      pdf: 'PDF',
      docx: 'DOCX',
      image: 'Image',
      audio: 'Audio',
      mixed: 'Several',
      other: 'Other',
    },
  },
} as const;
