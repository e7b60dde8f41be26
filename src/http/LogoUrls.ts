import { Context, Layer, Option } from "effect"

/** What the URLs of logos are made of. */
export interface LogoUrlOptions {
  /** Where clients reach the service. */
  readonly publicUrl: Option.Option<URL>
  /** Somebody else's pictures, with `{id}` where that of the asset or the network stands. */
  readonly template: Option.Option<string>
}

/** A name or an address with or without a port, and nothing that could end it within a URL. */
const plainHost = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/

const originOf = (host: string | undefined): string =>
  host !== undefined && plainHost.test(host) ? `http://${host}` : ""

/** The URLs of the pictures of assets and networks. */
export class LogoUrls extends Context.Service<LogoUrls, {
  /**
   * Makes the URL of an id, for a request with this `Host` header. Where no setting says under which URL the service is
   * reached, it is the one that the caller used; without a usable one the URL has only a path.
   */
  readonly forHost: (host: string | undefined) => (id: string) => string
}>()("swap-broker/http/LogoUrls") {
  static readonly layer = ({ publicUrl, template }: LogoUrlOptions): Layer.Layer<LogoUrls> => {
    const base = Option.map(publicUrl, ({ href }) => href.replace(/\/$/, ""))
    return Layer.succeed(LogoUrls, {
      forHost: (host) => {
        const own = `${Option.getOrElse(base, () => originOf(host))}/logos/{id}.svg`
        const written = Option.getOrElse(template, () => own)
        return (id) => written.replaceAll("{id}", id)
      },
    })
  }
}
