// Before anything is made: whether there is room for it, and which size suits an image.

export const fit = {
  fits: 'There is room for it now.',
  someReplicas: 'There is room for %{fitting} of %{workers} replicas now.',
};

export const recommendations = {
  ran: '%{name} runs this image with this size.',
  ranWithGpu: '%{name} runs this image with %{count} × %{model}; %{free} are free now.',
  asks: 'The image requires GPUs: %{count} × %{model} is enough; %{free} are free now.',
  asksForNone: 'The image says that it needs no GPU.',
  serves: 'The image serves a language model of unknown size. %{free} × %{model} are free now.',
  servesSize: 'The image serves a language model of %{size} GiB. It needs %{count} × %{model}; %{free} are free now.',
  freest: 'Nothing has run this image here yet. %{model} has the most free GPUs: %{free}.',
  noCards: 'Nothing has run this image here yet, and no GPUs are available.',
};
