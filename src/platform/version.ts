/** The version of the service, as its documents, commands, traces and metrics give it. */
export const version = "1.0.0"
