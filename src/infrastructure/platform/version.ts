/**
 * The version of the service, for its probes, documents, commands, log, traces and metrics: semantic, by its contract
 * .
 */
export const version = "2.0.0"
