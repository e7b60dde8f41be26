import { Context, Effect, Layer, Option, Redacted } from "effect"
import { isIPv6 } from "node:net"

/** The URL under which clients reach the service (`PUBLIC_URL`), where the operator has set one. */
export const PublicUrl = Context.Reference<Option.Option<URL>>("swap-broker/requests/PublicUrl", {
  defaultValue: () => Option.none(),
})

const name = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}$/
const parts = /^(\[([0-9A-Fa-f:.]+)\]|[^:]*)(?::([0-9]{0,5}))?$/
const highestPort = 65_535

/**
 * Whether a text is a host name or address, with or without a port, and nothing more (RFC 3986 3.2.2, of whose names
 * only those that the DNS or a network of containers can have). No character of it can end the host within a URL.
 */
export const isHost = (text: string): boolean => {
  const [, host = "", ipv6, port] = parts.exec(text) ?? []
  return (ipv6 === undefined ? name.test(host) : isIPv6(ipv6)) && Number(port ?? 0) <= highestPort
}

/** The start of the service's URLs: `PUBLIC_URL`, else the caller's host by http; else paths alone. */
export const baseOf = (publicUrl: Option.Option<URL>, host: string | undefined): string =>
  Option.match(publicUrl, {
    onSome: ({ href }) => href.replace(/\/$/, ""),
    onNone: () => host !== undefined && isHost(host) ? `http://${host}` : "",
  })

/** The page that takes the code of a link. */
const enterPath = "/dashboard/enter"

/** The URL of a link: its code stands after the `#`, which browsers send to nobody. */
export const portalUrl = Effect.fnUntraced(function* (
  token: Redacted.Redacted<string>,
  host: string | undefined,
) {
  return `${baseOf(yield* PublicUrl, host)}${enterPath}#${Redacted.value(token)}`
})

/** The two settings that the URLs of logos are made from. */
export interface LogoUrlOptions {
  /** The URL under which clients reach the service. */
  readonly publicUrl: Option.Option<URL>
  /** The URL of pictures elsewhere, with `{id}` in place of the id of the asset or network. */
  readonly template: Option.Option<string>
}

/** The URLs of the pictures of assets and networks. */
export class LogoUrls extends Context.Service<LogoUrls, {
  /** The URL of an id for this `Host`: below `PUBLIC_URL`, else below a usable host, else only a path. */
  readonly forHost: (host: string | undefined) => (id: string) => string
}>()("swap-broker/requests/LogoUrls") {
  static readonly layer = ({ publicUrl, template }: LogoUrlOptions): Layer.Layer<LogoUrls> => {
    return Layer.succeed(LogoUrls, {
      forHost: (host) => {
        const own = `${baseOf(publicUrl, host)}/logos/{id}.svg`
        const written = Option.getOrElse(template, () => own)
        return (id) => written.replaceAll("{id}", id)
      },
    })
  }
}
