import { Effect, Option, Struct } from "effect"
import { NativeAmount } from "#domain/money/Amount.ts"
import { ProviderError } from "#domain/ProviderError.ts"
import type { SwapState } from "#domain/swaps/Swap.ts"
import { EpochMillis } from "#domain/Time.ts"
import { PayloadMark } from "#domain/swaps/VaultSwap.ts"
import type { Observed } from "#providers/Provider.ts"
import { vaultAddress } from "#sandbox/engine/identifiers.ts"
import { variants } from "../memory/variants.ts"
import { vaultSwapsOf } from "../verbs/kit.ts"
import {
  cheaper,
  encoding,
  type Fault,
  forgetful,
  looking,
  otherSpelling,
  telling,
  withDeposit,
  withTerms,
} from "./mutations.ts"

const { coarse, payloadsAlone, untold } = variants

const findsBitcoin = "finds the swap of btc.btc to eth.eth"
const findsEther = "finds the swap of eth.eth to btc.btc"

const seeing = (change: (at: number) => number) =>
  telling((status) =>
    status.deposit?.witnessedAt === undefined ? status : {
      ...status,
      deposit: {
        ...status.deposit,
        witnessedAt: EpochMillis.make(Math.max(0, change(status.deposit.witnessedAt))),
      },
    }
  )

/** Records of vault swaps that are not what the transaction came to. */
export const lookupFaults: ReadonlyArray<Fault> = [
  {
    what: "tells the swap of another transaction",
    variant: payloadsAlone,
    mutate: (provider) => {
      const { seen } = forgetful()
      return looking((ask) => (question, known) => {
        const [first = question.transaction] = seen
        seen.add(first)
        return ask({ ...question, transaction: first }, known)
      })(provider)
    },
    fails: ["tells two transactions for the same request apart"],
  },
  {
    what: "tells the swap of a mark, whatever the transaction is",
    variant: untold,
    mutate: (provider) => {
      let last = Option.none<Observed>()
      return looking((ask) => (question, known) =>
        Effect.map(ask(question, known), (said) => last = Option.orElse(said, () => last))
      )(provider)
    },
    fails: ["finds a vault swap among the marks of an account, and none of another transaction"],
  },
  {
    what: "makes payloads without the marks that it needs",
    variant: untold,
    mutate: encoding(Struct.omit(["mark"])),
    fails: [findsBitcoin],
  },
  {
    what: "takes the first of several marks for the right one",
    variant: untold,
    mutate: looking((ask) => (question, known) =>
      ask({ ...question, marks: question.marks.slice(0, 1) }, known)
    ),
    fails: ["finds a vault swap among the marks of an account"],
  },
  {
    what: "tells no mark of a payload that has one",
    variant: payloadsAlone,
    mutate: looking((ask) => (question, known) =>
      Effect.map(ask(question, known), Option.map(Struct.omit(["mark"])))
    ),
    fails: [findsBitcoin, findsEther],
  },
  {
    what: "tells another mark than its payload has",
    variant: payloadsAlone,
    mutate: encoding((encoded) => ({ ...encoded, mark: PayloadMark.make("another") })),
    fails: [findsBitcoin],
  },
  {
    what: "finds a hash in the spelling of another chain",
    variant: payloadsAlone,
    mutate: looking((ask) => (question, known) =>
      Effect.flatMap(
        ask(question, known),
        (said) =>
          Option.isSome(said)
            ? Effect.succeed(said)
            : ask({ ...question, transaction: otherSpelling(question.transaction) }, known),
      )
    ),
    fails: [
      "knows nothing of a transaction of btc.btc to eth.eth in the spelling of another chain",
      "knows nothing of a transaction of bnb.bsc to btc.btc in the spelling of another chain",
    ],
  },
  {
    what: "forgets at a restart which payloads it made",
    variant: payloadsAlone,
    mutate: (provider) => {
      const { seen } = forgetful()
      const vaultSwaps = vaultSwapsOf(provider)
      return {
        ...provider,
        vaultSwaps: {
          ...vaultSwaps,
          encode: (request) =>
            Effect.tap(vaultSwaps.encode(request), () => Effect.sync(() => seen.add("one"))),
          status: (question, known) =>
            seen.size === 0 ? Effect.succeedNone : vaultSwaps.status(question, known),
        },
      }
    },
    fails: ["finds a vault swap again after a restart"],
  },
  {
    what: "says of every deposit that it was seen in 1970",
    variant: payloadsAlone,
    mutate: seeing(() => 0),
    fails: [findsBitcoin, findsEther, "as completed"],
  },
  {
    what: "says of a deposit that it was seen an hour before its transaction was made",
    variant: payloadsAlone,
    mutate: seeing((at) => at - 3_600_000),
    fails: [findsBitcoin, findsEther],
  },
  {
    what: "says of a deposit that it will be seen",
    variant: payloadsAlone,
    mutate: seeing((at) => at + 3_600_000),
    fails: [findsBitcoin, findsEther],
  },
  {
    what: "tells a deposit that is a unit too small",
    variant: payloadsAlone,
    mutate: withDeposit((amount) => amount - 1n),
    fails: [findsBitcoin, findsEther],
  },
  {
    what: "tells a deposit that is a whole unit of a coarse network too small",
    variant: coarse,
    mutate: withDeposit((amount) => amount - 10n ** 10n),
    fails: [findsEther],
  },
  {
    what: "rounds a deposit up to a unit of a coarse network",
    variant: coarse,
    mutate: withDeposit((amount) => amount + 10n ** 10n),
    fails: [findsEther],
  },
  {
    what: "tells a lower price limit",
    variant: payloadsAlone,
    mutate: withTerms(cheaper),
    fails: [findsBitcoin],
  },
  {
    what: "tells a price limit that is lower by more than a unit of a coarse network",
    variant: coarse,
    mutate: withTerms(cheaper),
    fails: [findsEther, findsBitcoin],
  },
  {
    what: "tells another refund address",
    variant: payloadsAlone,
    mutate: withTerms((terms) => ({ ...terms, refundAddress: vaultAddress("Bitcoin") })),
    fails: [findsBitcoin],
  },
  {
    what: "tells a retry window that it does not have",
    variant: payloadsAlone,
    mutate: withTerms((terms) => ({ ...terms, retryDurationBlocks: 150 })),
    fails: [findsBitcoin],
  },
  {
    what: "tells no terms, though its fixtures do not say so",
    variant: payloadsAlone,
    mutate: telling(Struct.omit(["fillOrKill"])),
    fails: [findsBitcoin],
  },
  {
    what: "tells no commission, though its fixtures do not say so",
    variant: payloadsAlone,
    mutate: telling((status) => ({ ...status, brokers: [] })),
    fails: [findsBitcoin],
  },
  {
    what: "tells a refund as a payment",
    variant: payloadsAlone,
    mutate: telling(({ refundEgress, ...status }) => ({
      ...status,
      ...(refundEgress === undefined ? {} : { swapEgress: refundEgress }),
    })),
    fails: ["as refunded"],
  },
  {
    what: "pays less than it quotes",
    variant: payloadsAlone,
    mutate: telling(({ swapEgress, ...status }) => ({
      ...status,
      ...(swapEgress === undefined
        ? {}
        : { swapEgress: { ...swapEgress, amount: NativeAmount.make(swapEgress.amount - 1n) } }),
    })),
    fails: ["as completed, with what was quoted"],
  },
  {
    what: "lets a swap go backwards",
    variant: payloadsAlone,
    mutate: (provider) => {
      let looks = 0
      return telling((status) => {
        looks++
        return looks === 20 ? { ...status, state: "receiving" } : status
      })(provider)
    },
    fails: ["as completed"],
  },
  {
    what: "begins anew with a state that it does not know",
    variant: payloadsAlone,
    mutate: looking((ask) => (question, known) =>
      ask(question, Option.map(known, (status) => ({ ...status, state: "receiving" satisfies SwapState })))
    ),
    fails: ["keeps the last known state of a vault swap"],
  },
  {
    what: "knows nothing where it could not ask",
    variant: payloadsAlone,
    mutate: looking((ask) => (question, known) =>
      Effect.catch(ask(question, known), () => Effect.succeedNone)
    ),
    fails: ["UpstreamFailed: status of a payload"],
  },
  {
    what: "says of a failed look-up that it was an opening",
    variant: payloadsAlone,
    mutate: looking((ask) => (question, known) =>
      Effect.mapError(ask(question, known), (error) => new ProviderError({ ...error, operation: "open" }))
    ),
    fails: ["RateLimited: status of a payload"],
  },
  {
    what: "drops what it says that it honours",
    variant: payloadsAlone,
    mutate: telling(({ boost: _, ccm: __, dca: ___, ...status }) => ({
      ...status,
      brokers: status.brokers.slice(0, 1),
    })),
    fails: [
      "honours affiliates in payloads",
      "honours boost in payloads",
      "honours DCA in payloads",
      "honours a message for the receiving contract in payloads",
    ],
  },
]
