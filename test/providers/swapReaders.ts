import { Effect, Option, Schema } from "effect"
import { BrokerAccount } from "#domain/chains/Address.ts"
import { assetIds, factsOf } from "#domain/chains/Asset.ts"
import type { SwapStatus } from "#domain/swaps/Swap.ts"
import { makeLookups } from "#providers/chainflip/status.ts"
import { makeStatus as nearIntentsStatus } from "#providers/near-intents/status.ts"
import type { Channels } from "#providers/Provider.ts"
import { servedChainNames, servedChains } from "#providers/relay/chains.ts"
import { makeStatus as relayStatus } from "#providers/relay/status.ts"
import { type Family, maya, thorchain } from "#providers/thorchain/networks.ts"
import { makeStatus as thorchainStatus } from "#providers/thorchain/status.ts"
import type { AnswerOfSwap, ReadSwap } from "#test/conformance/recordings.ts"

/* The readers of the providers of this build, each with a recorded answer in the place of its upstream. */

const heard = ({ at, body, text }: AnswerOfSwap) => Effect.succeed({ body, text, answeredAt: at })

const broker = ({ swap }: AnswerOfSwap) => swap.brokers[0]?.account ?? ""

/** A look at the channel of a record, which the upstream knows by this name. */
const ofChannel = (status: Channels["status"], known: SwapStatus | undefined, reference: string) => {
  const { depositChannel } = known ?? {}
  return known === undefined || depositChannel === undefined
    ? Effect.succeedNone
    : status(depositChannel.id, { ...known, depositChannel: { ...depositChannel, reference } })
}

const chainflip: ReadSwap = (answer) => {
  const swap = () => Effect.asSome(heard(answer))
  const { status, vaultSwapStatus } = makeLookups({ swap }, BrokerAccount.make(broker(answer)))
  const { swap: { deposit, depositChannel }, known } = answer
  return depositChannel === undefined
    ? vaultSwapStatus({ transaction: deposit?.transactionReference ?? "", marks: [] }, known)
    : ofChannel(status, Option.getOrUndefined(known), "none")
}

const nearIntents: ReadSwap = (answer) => {
  const house = { feeAccount: Option.none(), commissionBasis: "charged" } as const
  const status = nearIntentsStatus(
    { status: () => Effect.asSome(heard(answer)) },
    { tokens: Effect.succeed(new Map()) },
    house,
  )
  return ofChannel(status, Option.getOrUndefined(answer.known), "none")
}

const currencies = Effect.sync(() =>
  new Map(
    assetIds().flatMap((asset) => {
      const { chain: name, contractAddress } = factsOf(asset)
      const chain = servedChainNames.find((one) => one === name)
      if (chain === undefined) return []
      const coin = servedChains[chain].coin ?? "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb"
      return [[asset, { asset, chain, address: contractAddress ?? coin, ingress: true, egress: true }]]
    }),
  )
)

const Requests = Schema.Struct({
  requests: Schema.NonEmptyArray(Schema.Struct({
    id: Schema.String,
    supersededByRequestId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  })),
})

/** Without a list the answer is that for those who have no key. Of a list the first is ours that took no other's place. */
const relay: ReadSwap = (answer) => {
  const read = Option.getOrUndefined(Schema.decodeUnknownOption(Requests)(answer.body))?.requests
  const root = read?.find(({ id }) => read.every((one) => one.supersededByRequestId !== id))?.id ?? "none"
  const status = relayStatus({
    status: () => Effect.asSome(heard(answer)),
    requests: read === undefined ? Option.none() : Option.some(() => heard(answer)),
  }, { currencies })
  return ofChannel(status, Option.getOrUndefined(answer.known), root)
}

const thorchainOf = (family: Family): ReadSwap => (answer) =>
  thorchainStatus({ status: () => heard(answer) }, family, {
    affiliate: Option.some(broker(answer)),
  })({ transaction: answer.swap.deposit?.transactionReference ?? "", marks: [] }, answer.known)

/** The reader of each provider that the sandbox simulates. */
export const swapReaders = new Map<string, ReadSwap>([
  ["chainflip", chainflip],
  ["near-intents", nearIntents],
  ["relay", relay],
  ["thorchain", thorchainOf(thorchain)],
  ["maya", thorchainOf(maya)],
])
