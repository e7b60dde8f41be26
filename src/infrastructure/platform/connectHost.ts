/**
 * The host at which a service is asked that listens at another: what is listened on everywhere is asked for on this
 * machine. It imports nothing, as a probe loads it every few seconds.
 */
export const connectHost = (listening: string): string =>
  listening === "0.0.0.0" || listening === "::"
    ? "127.0.0.1"
    : listening.includes(":")
    ? `[${listening}]`
    : listening
