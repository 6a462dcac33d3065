// The metrics that gateways export for each deployment, with the labels `namespace`, `kind` and `object`: the same for every engine,
// without scraping tenants' Pods.

/** A gauge: streams that have no token yet, and other requests until they are answered. */
export const MODEL_WAITING = 'gantry_model_requests_waiting';
/** A histogram, of requests that were answered in full: from their arrival to the end of the answer. */
export const MODEL_SECONDS = 'gantry_model_request_seconds';
