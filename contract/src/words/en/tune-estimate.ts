// How much memory fine-tuning takes, and what would need less.

export const memory = {
  weights: 'Weights: %{count} parameters × %{each} bytes = %{gi} GiB',
  embeddings: 'Embeddings, which are not quantised: %{count} parameters × %{each} bytes = %{gi} GiB',
  copies: 'Copies of the weights in 16 bits: %{count} parameters × %{each} bytes = %{gi} GiB',
  reference: 'The base, to compare with: %{count} parameters × %{each} bytes = %{gi} GiB',
  gradients: 'Gradients: %{count} parameters × %{each} bytes = %{gi} GiB',
  buckets: 'Gradients that are exchanged: %{count} parameters × %{each} bytes = %{gi} GiB',
  optimizer: 'Optimiser (Adam): %{count} parameters × %{each} bytes = %{gi} GiB',
  adapter: 'Adapter: %{count} parameters × %{each} bytes = %{gi} GiB',
  activations: 'Activations: %{count} tokens × %{each} bytes = %{gi} GiB',
  logits: 'Answers by token: %{count} tokens × %{each} bytes = %{gi} GiB',
  program: 'The program itself: %{gi} GiB',
};

export const advice = {
  batch: 'A batch of %{batch}, added up %{accumulate} times, would fit.',
  maxLength: 'At most %{maxLength} tokens of a row would fit.',
  both: 'A batch of %{batch}, added up %{accumulate} times, with at most %{maxLength} tokens of a row would fit.',
  LoRA: 'LoRA would fit.',
  QLoRA: 'QLoRA would fit.',
  memory: '%{gi} GiB of memory would be enough.',
  card: 'GPUs of the model %{model} would be enough.',
  nothing: 'Nothing here has enough memory for it: choose a smaller base.',
};

/** Why a row cannot be trained on, and what is counted of it. */
export const unusable = {
  NoPrompt: 'Nothing is asked.',
  NoAnswer: 'There is no answer.',
  NotMessages: 'It is not a list of messages that have a role and a text each.',
  NoAssistant: 'The conversation has no answer of the assistant.',
  SameAnswers: 'Both answers are the same.',
  NothingTrained: 'Within maxLength, nothing is left of the answer.',
};
