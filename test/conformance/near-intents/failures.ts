import type { Failures } from "../Fixtures.ts"
import { meddled, serviceFailures } from "../sandbox/failing.ts"
import { bitcoinToEther, requestAt } from "../sandbox/requests.ts"
import type { SandboxWorld } from "../sandbox/SandboxWorld.ts"
import { settles } from "../sandbox/trouble.ts"

export const offer = bitcoinToEther(999n)
export const request = requestAt("30.12345678901234567")

const { assets, failures: common, open, quote, status, tooLittle } = serviceFailures(
  "near-intents",
  offer,
  request,
  /\/near-intents/,
)

const badSignature = settles({ change: "nextOrder", outcome: "badSignature" })

/** Every way in which the NEAR Intents provider fails, made in the sandbox and on the way to it. */
export const failures: Failures<SandboxWorld> = {
  ...common,
  DepositBelowMinimum: [{ when: "too little is quoted", ask: tooLittle }],
  AssetNotListed: [{
    when: "an asset is not in the catalogue",
    ask: { operation: "quote", request: { ...quote.request, sourceAsset: "dot.dot" } },
  }],
  MalformedBody: [
    ...common.MalformedBody,
    ...meddled(
      "the catalogue has another form",
      true,
      { path: /\/v0\/tokens/, does: () => "<html>" },
      assets,
    ),
    { when: "the signature of an address is wrong", reached: true, ask: open, conditions: badSignature },
    ...meddled("the order has no address", true, {
      path: /\/v0\/status/,
      does: (body) => body.replace(/"depositAddress":"[^"]+"/, '"depositAddress":""'),
    }, status),
  ],
}
