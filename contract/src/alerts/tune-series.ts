// The gauges that gateways export for each fine-tuning run under way, with the labels `namespace`, `kind` and `object`. They are what the
// trainer reported, and every gateway says the same.

/** The loss of the last steps. No series while it is not a number. */
export const TUNE_LOSS = 'gantry_tune_loss';
/** Tokens trained on in a second. */
export const TUNE_TOKENS = 'gantry_tune_tokens_per_second';
/** Seconds since the trainer last reported a step; before its first one, since the training began. */
export const TUNE_STEP_AGE = 'gantry_tune_step_age_seconds';
