/** The host to reach a service that listens at another. It imports nothing, as a probe loads it often. */
export const connectHost = (listening: string): string =>
  listening === "0.0.0.0" || listening === "::"
    ? "127.0.0.1"
    : listening.includes(":")
    ? `[${listening}]`
    : listening
