import { Effect, Struct } from "effect"
import { EpochMillis, ProviderError, TimedOut } from "#exports/domain.ts"
import { type Channels, OpeningTrace } from "#providers/Provider.ts"
import { variants } from "../memory/variants.ts"
import { channelsOf } from "../verbs/kit.ts"
import { exactAs, type Fault, forgetful, type Mutate, opening, recording } from "./mutations.ts"

const { exactAmounts, memos, plain } = variants

const opens = "opens a channel, with a waiting record"

type FindOpening = NonNullable<Channels["findOpening"]>

const tracing = (change: (find: FindOpening) => FindOpening): Mutate => (provider) => {
  const channels = channelsOf(provider)
  const { findOpening } = channels
  return {
    ...provider,
    ...(findOpening === undefined ? {} : { channels: { ...channels, findOpening: change(findOpening) } }),
  }
}

/** Channels that lose money or are lost. */
export const channelFaults: ReadonlyArray<Fault> = [
  {
    what: "gives one exact amount twice",
    variant: exactAmounts,
    mutate: exactAs((amount) => amount),
    fails: ["opens a channel of its own"],
  },
  {
    what: "asks for ten times the amount",
    variant: exactAmounts,
    mutate: exactAs((amount) => amount * 10n),
    fails: [opens],
  },
  {
    what: "gives one address twice without a memo",
    variant: memos,
    mutate: opening(({ channel: { memo: _, ...channel }, ...opened }) => ({ ...opened, channel })),
    fails: ["opens a channel of its own", opens],
  },
  {
    what: "does not keep the reference of a channel",
    variant: memos,
    mutate: recording(Struct.omit(["reference"])),
    fails: [opens],
  },
  {
    what: "does not keep the memo of a channel",
    variant: memos,
    mutate: recording(Struct.omit(["memo"])),
    fails: [opens],
  },
  {
    what: "keeps another reference than it gave",
    variant: exactAmounts,
    mutate: recording((record) => ({ ...record, reference: "order-7" })),
    fails: [opens, "finds the channel again by its coordinates"],
  },
  {
    what: "drops the price limit of a channel",
    variant: plain,
    mutate: opening(({ status, ...opened }) => ({ ...opened, status: Struct.omit(status, ["fillOrKill"]) })),
    fails: [opens],
  },
  {
    what: "records a retry window that it does not have",
    variant: memos,
    mutate: opening(({ status, ...opened }) => ({
      ...opened,
      status: status.fillOrKill === undefined
        ? status
        : { ...status, fillOrKill: { ...status.fillOrKill, retryDurationBlocks: 150 } },
    })),
    fails: [opens],
  },
  {
    what: "forgets its channels at a restart",
    variant: plain,
    mutate: (provider) => {
      const { seen } = forgetful()
      const channels = channelsOf(provider)
      return {
        ...provider,
        channels: {
          ...channels,
          open: (request) => Effect.tap(channels.open(request), () => Effect.sync(() => seen.add("one"))),
          status: (channel, known) => seen.size === 0 ? Effect.succeedNone : channels.status(channel, known),
        },
      }
    },
    fails: ["finds the channel again after a restart"],
  },
  {
    what: "makes an opening twice",
    variant: plain,
    mutate: (provider) => {
      const channels = channelsOf(provider)
      return {
        ...provider,
        channels: {
          ...channels,
          open: (request) => Effect.andThen(channels.open(request), channels.open(request)),
        },
      }
    },
    fails: [opens],
  },
  {
    what: "opens a channel for a quote",
    variant: plain,
    mutate: (provider) => ({
      ...provider,
      quotes: (request) =>
        Effect.tap(
          provider.quotes(request),
          () => channelsOf(provider).open({ ...plain.fixtures.request, amount: request.amount }),
        ),
    }),
    fails: ["quotes btc.btc to eth.eth, and opens nothing by it"],
  },
  {
    what: "says that nothing was opened, though it was",
    variant: plain,
    mutate: (provider) => {
      const channels = channelsOf(provider)
      const reason = new TimedOut({ detail: "no answer", reached: false })
      return {
        ...provider,
        channels: {
          ...channels,
          open: (request) =>
            Effect.mapError(channels.open(request), (error) => new ProviderError({ ...error, reason })),
        },
      }
    },
    fails: [
      "sends an opening once",
      "opens nothing for too little",
      "TimedOut: open, when the answer is lost",
    ],
  },
  {
    what: "knows every channel",
    variant: plain,
    mutate: (provider) => ({
      ...provider,
      channels: {
        ...channelsOf(provider),
        status: (_, known) => Effect.succeedSome({ status: known, body: "{}" }),
      },
    }),
    fails: ["knows nothing of a channel that was never opened", "as completed"],
  },
  {
    what: "finds the opening of another time",
    variant: memos,
    mutate: tracing((find) => (request, _, unrecorded) => find(request, EpochMillis.make(0), unrecorded)),
    fails: ["says of an opening whose answer was lost"],
  },
  {
    what: "says that nothing was opened, though only the answer was lost",
    variant: memos,
    mutate: tracing(() => () => Effect.succeed(OpeningTrace.NothingOpened())),
    fails: ["says of an opening whose answer was lost"],
  },
  {
    what: "finds the opening for another request",
    variant: memos,
    mutate: tracing((find) => (_, ...rest) => find(memos.fixtures.request, ...rest)),
    fails: ["says of an opening whose answer was lost"],
  },
]
