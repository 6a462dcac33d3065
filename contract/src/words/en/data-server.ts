// Why a data server refuses, by its codes. Where the sentence is DuckDB's own, or names a file, it has none here.

export const refusals = {
  NotOneSelect: 'A query is one SELECT, which changes nothing.',
  NotAllowed: 'A query reads its tables, and no file, address or setting.',
  NothingInCommon: 'The two versions have no column in common.',
  KeyNotUnique: 'Several rows have the same values in these columns, so they are no key.',
  ReaderDied: 'The program that reads the data broke down on it.',
  SeveralKinds: 'These are tables of several kinds. A version has tables of one kind.',
  TooManyColumns: 'The table has too many columns: at most %{most} are read.',
  ColumnNameTooLong: 'The name of a column is too long: it may have up to %{most} characters.',
  TooManyPages: 'A document has %{pages} pages: at most %{most} are read.',
  TooManyFiles: 'An archive has %{files} files: at most %{most} are read.',
  TooLarge: 'The data is too large to be read as a table: at most %{most} bytes are.',
  TooSlow: 'Reading the data takes too long.',
  TooMuchMemory: 'Reading the data takes too much memory.',
  AnswerTooLong: 'What is found in the data is too long.',
  DiskFull: 'The data needs more room than the data server has.',
};
