import { type Failures, notPossible } from "../Fixtures.ts"
import { fails, meddled, serviceFailures } from "../sandbox/failing.ts"
import { bitcoinToEther, requestAt } from "../sandbox/requests.ts"
import type { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { refuses, tampers } from "../sandbox/trouble.ts"

export const offer = bitcoinToEther(999n)
/** Relay waits for no price, and is never asked to. */
export const request = requestAt("30.12345678901234567", 0)

const { assets, failures: common, open, quote, status, tooLittle } = serviceFailures(
  "relay",
  offer,
  request,
  /\/relay/,
)

const oneCode = notPossible("the service says AMOUNT_TOO_LOW of whatever is too low")

const feesAreDropped = tampers({
  path: /\/quote\/v[23]/,
  does: (body) =>
    body.replace(/("app":\{(?:"currency":\{[^}]*\{[^}]*\}\}|"usd":"[^"]*"),"amount":)"[0-9]+"/, '$1"0"'),
})

/** Every way in which the Relay provider fails, made in the sandbox and on the way to it. */
export const failures: Failures<SandboxWorld> = {
  ...common,
  AmountBelowMinimum: [...common.AmountBelowMinimum, { when: "too little is quoted", ask: tooLittle }],
  EgressBelowMinimum: oneCode,
  EgressFeeNotCovered: oneCode,
  RequestRefused: [
    ...common.RequestRefused,
    ...fails("the commission would be dropped", feesAreDropped, quote, open),
  ],
  SwappingMaintenance: notPossible("the service has no word for it"),
  AssetNotListed: [{
    when: "an asset is on no chain of the service",
    ask: { operation: "quote", request: { ...quote.request, sourceAsset: "dot.dot" } },
  }],
  TooManyChannels: notPossible("the service limits the rate only"),
  Unreachable: [...common.Unreachable, {
    when: "the service is not available",
    reached: true,
    ask: open,
    conditions: refuses("relay")("open", "swapping_maintenance"),
  }],
  MalformedBody: [
    ...common.MalformedBody,
    ...meddled(
      "the list of chains has another form",
      true,
      { path: /\/chains/, does: () => "<html>" },
      assets,
    ),
    ...meddled("the deposit address is the caller's own", true, {
      path: /\/quote\/v[23]/,
      does: (body) =>
        body.replace(/("depositAddress":(?:\{"address":)?)"[^"]+"/, `$1"${request.refundAddress}"`),
    }, open),
    ...meddled("the request has no state", true, {
      path: /\/(requests|intents)\//,
      does: (body) => body.replace(/"status":"[a-z]+"/, '"status":7'),
    }, status),
  ],
}
