import { Context, Option } from "effect"

/** The URL under which clients reach the service (`PUBLIC_URL`), where the operator has set one. */
export const PublicUrl = Context.Reference<Option.Option<URL>>("swap-broker/http/PublicUrl", {
  defaultValue: () => Option.none(),
})

/** A host name or address, with or without a port. No character of it can end the host within a URL. */
const plainHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/

/**
 * What URLs of the service begin with: `PUBLIC_URL`, or else the host that a caller names by http. Without a usable
 * host they are only paths.
 */
export const baseOf = (publicUrl: Option.Option<URL>, host: string | undefined): string =>
  Option.match(publicUrl, {
    onSome: ({ href }) => href.replace(/\/$/, ""),
    onNone: () => host !== undefined && plainHost.test(host) ? `http://${host}` : "",
  })
