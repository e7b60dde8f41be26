import config from "../../../deno.json" with { type: "json" }

/** The version of the service, for its probes, documents, commands, log, traces and metrics: semantic, by its contract. */
export const { version } = config
