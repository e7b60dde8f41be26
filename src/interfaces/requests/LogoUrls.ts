import { Context, Layer, Option } from "effect"
import { baseOf } from "./PublicUrl.ts"

/** The two settings that the URLs of logos are made from. */
export interface LogoUrlOptions {
  /** The URL under which clients reach the service. */
  readonly publicUrl: Option.Option<URL>
  /** The URL of pictures elsewhere, with `{id}` in place of the id of the asset or network. */
  readonly template: Option.Option<string>
}

/** The URLs of the pictures of assets and networks. */
export class LogoUrls extends Context.Service<LogoUrls, {
  /**
   * Makes the URL of an id, for a request with this `Host` header. Without `PUBLIC_URL` the URL begins with that
   * host; without a usable host it is only a path.
   */
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
