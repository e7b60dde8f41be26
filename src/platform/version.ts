/** The version of the service, for its documents, commands, traces and metrics. */
export const version = "1.0.0"
