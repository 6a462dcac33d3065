// What gateways say of each deployment in their metrics, with the labels `namespace`, `kind` and `object`: of any engine, and with no
// scraping of tenants' Pods.

/** A gauge: requests whose answer has not begun. */
export const MODEL_WAITING = 'gantry_model_requests_waiting';
/** A histogram: from a request's arrival to the end of its answer. */
export const MODEL_SECONDS = 'gantry_model_request_seconds';
