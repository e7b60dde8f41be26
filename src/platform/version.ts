/**
 * The version of the service, for its probes, documents, commands, log, traces and metrics: semantic, by its contract
 * .
 */
export const version = "1.2.0"
