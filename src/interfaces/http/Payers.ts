import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Api } from "#api/Api.ts"
import { CurrentAccount } from "#api/Authorization.ts"
import type { PayLinkBody } from "#api/Payers.ts"
import { qrSvg } from "#domain/swaps/payment/qrCode.ts"
import { codeText, Guide } from "#application/guidance/Guide.ts"
import { OpeningRules } from "#application/swapping/opening/OpeningRules.ts"
import { PayLinks } from "#application/swapping/PayLinks.ts"
import { Swaps } from "#application/swapping/Swaps.ts"
import { entityTag, isKnownTag } from "../requests/compressible.ts"
import { failAsProblem } from "../requests/failAsProblem.ts"
import type { SwapRecordId } from "#domain/swaps/SwapRecord.ts"
import { baseOf, PublicUrl } from "../requests/PublicUrl.ts"

/** The image, or an empty 304 where the caller has it. Its caches ask each time, so that none shows a dead channel. */
const codeResponse = Effect.fnUntraced(function* (text: string) {
  const { headers: { "if-none-match": known } } = yield* HttpServerRequest.HttpServerRequest
  const svg = qrSvg(text)
  const headers = { etag: entityTag(svg), "cache-control": "private, no-cache" }
  return known !== undefined && isKnownTag(known, headers.etag)
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.text(svg, { contentType: "image/svg+xml", headers })
})

export const PayersHandlers = HttpApiBuilder.group(
  Api,
  "payers",
  Effect.fnUntraced(function* (handlers) {
    const swaps = yield* Swaps
    const links = yield* PayLinks
    const guide = yield* Guide
    const publicUrl = yield* PublicUrl
    const { networkOf } = yield* OpeningRules

    const code = Effect.fnUntraced(function* (id: SwapRecordId) {
      const swap = yield* swaps.byId(yield* CurrentAccount, id)
      return yield* codeResponse(
        yield* Effect.provideService(codeText(swap, networkOf(swap.platform)), Guide, guide),
      )
    })

    const link = Effect.fnUntraced(function* (id: SwapRecordId) {
      const { headers: { host } } = yield* HttpServerRequest.HttpServerRequest
      const token = yield* links.make(yield* CurrentAccount, id)
      return { url: `${baseOf(publicUrl, host)}/pay/${Redacted.value(token)}` } satisfies PayLinkBody
    })

    return handlers.handleAll({
      code: ({ params }) => failAsProblem(code(params.id)),
      payLink: ({ params }) => failAsProblem(link(params.id)),
    })
  }),
)
